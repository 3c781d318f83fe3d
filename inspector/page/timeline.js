// Timeline: the calls of systems in one update, on a line of time. It starts with the view, and ends with it.
import { html, useEffect, useState } from './vendor/htm-preact.js';
import { call, download, hasMethod, ofWorld, useWatch } from './link.js';
import { save } from './download.js';
import { Spark, attempt } from './parts.js';
import { count, milliseconds } from './values.js';

const SHOWN = 60; // updates

// Parallel systems of one node are below each other.
const rowOf = (span) => span.depth + span.lane;

function Span({ span, length, row }) {
  const system = span.system || 'unnamed';
  const name = system + (span.role === 'commands' ? ', commands' : '');
  const part = (nanoseconds) => `${((100 * nanoseconds) / length).toFixed(3)}%`;
  const hasRoom = span.nanoseconds / length > 0.02 + name.length * 0.008;
  const title = `${system}${span.role ? ', ' + span.role : ''}: ${milliseconds(span.nanoseconds)} ms` +
    (span.created ? `, ${span.created} created` : '') + (span.destroyed ? `, ${span.destroyed} destroyed` : '') +
    (span.changed ? `, ${span.changed} components got or lost` : '');
  return html`<g class=${span.role ? 'call' : 'node'}><title>${title}</title><rect x=${part(span.began)} y=${row * 20} width=${part(span.nanoseconds)}
    height="18" rx="2" />${hasRoom && html`<text x=${part(span.began)} dx="5" y=${row * 20 + 13}>${name}</text>`}</g>`;
}

function Frame({ frame }) {
  const rows = 1 + Math.max(0, ...frame.spans.map(rowOf));
  return html`<svg class="timeline" role="img"
    aria-label=${`Update ${frame.frame}: ${milliseconds(frame.nanoseconds)} ms`} height=${rows * 20}>
    ${frame.spans.map((span, place) => html`<${Span} key=${place} span=${span} length=${frame.nanoseconds} row=${rowOf(span)} />`)}</svg>`;
}

export function Timeline() {
  const [isStarted, setStarted] = useState(false);
  const [chosen, setChosen] = useState(-1); // frame; -1: the newest
  const { result } = useWatch('timeline', 'timeline.get', isStarted ? { ...ofWorld(), frames: SHOWN } : null, 400);
  useEffect(() => {
    if (hasMethod('timeline.get')) call('timeline.start', ofWorld()).then(() => setStarted(true), () => {});
  }, []);
  const frames = result ? result.frames.filter((frame) => frame.spans.length > 0) : [];
  if (frames.length === 0) return null;
  const found = frames.findIndex((frame) => frame.frame === chosen);
  const place = found >= 0 ? found : frames.length - 1;
  const frame = frames[place];
  const move = (by) => setChosen(frames[Math.min(frames.length - 1, Math.max(0, place + by))].frame);
  const slowest = () => setChosen(frames.reduce((a, b) => (b.nanoseconds > a.nanoseconds ? b : a)).frame);
  const trace = () => attempt(async () => save('trace.json', 'application/json', await download('/trace')));
  return html`<section class="lines"><div class="tools"><b>Timeline</b>
      <button aria-label="The update before" onClick=${() => move(-1)}>←</button><button aria-label="The next update" onClick=${() => move(1)}>→</button>
      <button onClick=${slowest}>slowest</button><button onClick=${() => setChosen(-1)}>newest</button>
      <button onClick=${trace}>Trace ⤓</button>
      <span class="total">frame <b>${count(frame.frame)}</b>, <b>${milliseconds(frame.nanoseconds)}</b> ms</span>
      <${Spark} values=${frames.map((one) => one.nanoseconds)} width=${192} /></div>
    <${Frame} frame=${frame} /></section>`;
}
