// Timeline: the calls of systems in one update, on a line of time. It starts with the view, and ends with it.
import { html, useEffect, useRef, useState } from './vendor/htm-preact.js';
import { call, download, hasMethod, ofWorld, useWatch } from './link.js';
import { save } from './download.js';
import { Sign, attempt } from './parts.js';
import { count, milliseconds } from './values.js';

const KEPT = 240; // updates, as many as the game keeps
const ASKED = 60; // updates of an answer
const NOT_RECORDING = -33106;

// ---- updates

const withCalls = (result) => result.frames.filter((update) => update.spans.length > 0);

// An update that is received again was held before. Where frames begin again, so do the updates.
function joined(updates, fresh) {
  const numbers = new Set(fresh.map((update) => update.frame));
  if (fresh.length > 0 && updates.length > 0 && fresh.at(-1).frame < updates.at(-1).frame) return fresh;
  return [...updates.filter((update) => !numbers.has(update.frame)), ...fresh].slice(-KEPT);
}

// All updates that were received, the latest at the end; `readAll` asks for those that no answer had.
function useUpdates() {
  const [isStarted, setStarted] = useState(false);
  const [failures, setFailures] = useState(0);
  const { result, error } = useWatch('timeline', 'timeline.get', isStarted ? { ...ofWorld(), frames: ASKED } : null, 400);
  const kept = useRef({ result: null, updates: [] });
  const isOff = !isStarted || (error && error.code === NOT_RECORDING);
  useEffect(() => {
    if (!isOff || !hasMethod('timeline.get')) return undefined;
    let timer;
    const tryAgain = () => (timer = setTimeout(() => setFailures(failures + 1), 2000));
    call('timeline.start', ofWorld()).then(() => setStarted(true), tryAgain);
    return () => clearTimeout(timer);
  }, [isOff, failures]);
  const add = (answer) => (kept.current.updates = joined(kept.current.updates, withCalls(answer)));
  if (result && kept.current.result !== result) {
    kept.current.result = result;
    add(result);
  }
  const readAll = () => call('timeline.get', { ...ofWorld(), frames: KEPT }).then(add, () => kept.current.updates);
  return { updates: kept.current.updates, readAll };
}

const slowestOf = (updates) => updates.reduce((a, b) => (b.nanoseconds > a.nanoseconds ? b : a));

// A bar for each update. The latest one is at the right.
function Updates({ updates, shown, choose }) {
  const most = slowestOf(updates).nanoseconds || 1;
  const first = KEPT - updates.length;
  const click = (event) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const update = updates[Math.floor(((event.clientX - left) / width) * KEPT) - first];
    if (update) choose(update);
  };
  return html`<svg class="spark updates" viewBox=${`0 0 ${KEPT} 24`} preserveAspectRatio="none" role="img" onClick=${click}
    aria-label=${`The last ${updates.length} updates; the slowest took ${milliseconds(most)} ms`}>
    <title>Each bar is an update, the latest at the right. Click one to see its calls.</title>
    <rect class="ground" width=${KEPT} height="24" />
    ${updates.map((update, place) => {
      const height = Math.max(1, (update.nanoseconds / most) * 23);
      return html`<rect key=${update.frame} class=${update.frame === shown.frame ? 'chosen' : ''} x=${first + place} y=${24 - height}
        width="0.8" height=${height} />`;
    })}</svg>`;
}

// ---- calls

const ROW = 20; // pixels
const LETTER = 6.2;

// Parallel systems of one node are below each other.
const rowOf = (span) => span.depth + span.lane;

const nameOf = (span) => (span.system || 'unnamed') + (span.role === 'commands' ? ', commands' : '');

// The boxes of an update, in pixels. A name is on its box, or beside it where nothing follows soon.
function boxesOf(update, width) {
  const scale = width / (update.nanoseconds || 1);
  return update.spans.map((span, place) => {
    const row = rowOf(span);
    const box = { span, y: row * ROW, x: span.began * scale, width: Math.max(1, span.nanoseconds * scale) };
    const end = box.x + box.width;
    const next = update.spans.slice(place + 1).find((other) => rowOf(other) === row);
    const room = nameOf(span).length * LETTER + 8;
    if (room <= box.width) return { ...box, textAt: box.x + 5 };
    return room <= (next ? next.began * scale : width) - end ? { ...box, textAt: end + 4 } : box;
  });
}

function Span({ box }) {
  const { span } = box;
  const title = `${span.system || 'unnamed'}${span.role ? ', ' + span.role : ''}: ${milliseconds(span.nanoseconds)} ms` +
    (span.created ? `, ${span.created} created` : '') + (span.destroyed ? `, ${span.destroyed} destroyed` : '') +
    (span.changed ? `, ${span.changed} components got or lost` : '');
  return html`<g class=${span.role ? 'call' : 'node'}><title>${title}</title><rect x=${box.x} y=${box.y} width=${box.width}
    height="18" rx="2" />${box.textAt !== undefined && html`<text x=${box.textAt} y=${box.y + 13}>${nameOf(span)}</text>`}</g>`;
}

function useWidth(box) {
  const [width, setWidth] = useState(1);
  useEffect(() => {
    const watcher = new ResizeObserver(() => setWidth(box.current.clientWidth || 1));
    watcher.observe(box.current);
    return () => watcher.disconnect();
  }, []);
  return width;
}

function Calls({ update }) {
  const box = useRef(null);
  const width = useWidth(box);
  const rows = 1 + Math.max(0, ...update.spans.map(rowOf));
  return html`<div class="calls" ref=${box}><svg class="timeline" role="img" width="100%" height=${rows * ROW}
      aria-label=${`Update ${update.frame}: ${milliseconds(update.nanoseconds)} ms`}>
      ${boxesOf(update, width).map((one, place) => html`<${Span} key=${place} box=${one} />`)}</svg>
    <div class="axis"><span>0</span><span>${milliseconds(update.nanoseconds / 2)}</span><span>${milliseconds(update.nanoseconds)} ms</span></div></div>`;
}

export function Timeline() {
  const { updates, readAll } = useUpdates();
  const [chosen, setChosen] = useState({ update: null }); // null: the latest; else one that stays, also when it is kept no longer
  if (updates.length === 0) return null;
  const shown = chosen.update || updates.at(-1);
  const choose = (update, isSlowest) => setChosen({ update, isSlowest });
  const move = (by) => {
    const place = updates.findIndex((update) => update.frame === shown.frame);
    choose(updates[place < 0 ? 0 : Math.min(updates.length - 1, Math.max(0, place + by))]);
  };
  const slowest = async () => choose(slowestOf(await readAll()), true);
  const trace = () => attempt(async () => save('trace.json', 'application/json', await download('/trace')));
  return html`<section class="lines"><div class="tools"><b>Timeline</b>
      <${Sign} class="" what="The update before" onClick=${() => move(-1)}>←<//>
      <${Sign} class="" what="The next update" onClick=${() => move(1)}>→<//>
      <button id="slowest" aria-pressed=${chosen.isSlowest === true} title=${`The slowest of the last ${KEPT} updates`} onClick=${slowest}>slowest</button>
      <button id="latest" aria-pressed=${chosen.update === null} title="Follow the latest update" onClick=${() => choose(null)}>latest</button>
      <button title="Save the calls for Perfetto" onClick=${trace}>Trace ⤓</button>
      <span class="total"><span id="update">frame <b>${count(shown.frame)}</b>, <b>${milliseconds(shown.nanoseconds)}</b> ms</span></span>
      <${Updates} updates=${updates} shown=${shown} choose=${choose} /></div>
    <${Calls} update=${shown} /></section>`;
}
