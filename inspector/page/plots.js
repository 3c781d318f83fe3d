// Plots: values over time, as this page has seen them: a field of an entity, or how many entities match a query.
import { html, useEffect, useRef, useState } from './vendor/htm-preact.js';
import { callAll, game } from './link.js';
import { Note, Sign, attempt } from './parts.js';
import { csv, save } from './download.js';
import { Chart } from './chart.js';
import { EntityPanel } from './entity.js';
import { Plane, PlaneForm } from './plane.js';
import { go, route } from './route.js';
import { short } from './values.js';

const MOST = 600; // samples
const PERIOD = 200;

// What a plot is of: "70002:1 Position.x", or a query.
function parse(text) {
  const found = /^(\d+:\d+)\s+([\w.[\]`]+)$/.exec(text);
  return found ? { text, entity: found[1], path: found[2] } : { text, query: text };
}

const titleOf = (plot) => (plot.entity ? `${plot.path} of ${plot.entity}` : 'count of ' + (plot.text || 'all entities'));

const requestOf = (context, plot) => ['entities.query', plot.entity
  ? { context, query: plot.entity, fields: [plot.path], limit: 1 } : { context, query: plot.query, limit: 0 }];

function sampleOf(plot, answer) {
  if (answer.error) return { error: answer.error.message };
  const { total, rows } = answer.result;
  if (!plot.entity) return { value: total };
  const value = rows.length > 0 ? rows[0].v[plot.path] : undefined;
  const number = typeof value === 'boolean' ? Number(value) : Number(typeof value === 'object' ? NaN : value);
  return Number.isFinite(number) ? { value: number } : { error: value === undefined ? 'gone' : `${short(value)} is no number` };
}

const frameOf = (answers) => {
  const answer = answers.find((one) => one.result);
  return answer ? answer.result.frame[1] : null;
};

// Samples all plots at once: { seconds, frames, lines }, of which a line has a value or null for each time.
function useSamples(context, plots) {
  const kept = useRef({ seconds: [], frames: [], lines: new Map() });
  const [, draw] = useState(0);
  const key = plots.map((plot) => plot.text).join('\n');
  useEffect(() => {
    if (plots.length === 0) return undefined;
    const take = async () => {
      if (document.hidden || game.get().kind !== 'live') return; // plots stop with the game
      const answers = await callAll(plots.map((plot) => requestOf(context, plot)));
      const { seconds, frames, lines } = kept.current;
      const add = (list, value) => [...list.slice(1 - MOST), value];
      kept.current = { seconds: add(seconds, performance.now() / 1000), frames: add(frames, frameOf(answers)), lines: new Map() };
      answers.forEach((answer, place) => {
        const { text } = plots[place];
        const before = lines.get(text) || { values: seconds.map(() => null) };
        const { value, error } = sampleOf(plots[place], answer);
        kept.current.lines.set(text, { values: add(before.values, value ?? null), error: error || '' });
      });
      draw((n) => n + 1);
    };
    const timer = setInterval(() => take().catch(() => {}), PERIOD);
    return () => clearInterval(timer);
  }, [context, key]);
  return kept.current;
}

function Plot({ plot, samples, remove }) {
  const line = samples.lines.get(plot.text);
  const known = line ? line.values.filter((value) => value !== null) : [];
  const title = titleOf(plot);
  return html`<section class="watch"><h3><span class="mono">${title}</span>
      ${known.length > 0 && html`<b>${short(known.at(-1))}</b><span class="dim">${short(Math.min(...known))} to ${short(Math.max(...known))}</span>`}
      ${line && line.error && html`<span class="warning">${line.error}</span>`}<span class="space"></span>
      <${Sign} what=${'Remove the plot of ' + plot.text} onClick=${remove}>✕<//></h3>
    ${known.length > 1 && html`<${Chart} title=${title} seconds=${samples.seconds} frames=${samples.frames} values=${line.values} />`}</section>`;
}

function csvOf(plots, { seconds, frames, lines }) {
  const columns = plots.map((plot) => (lines.get(plot.text) || { values: [] }).values);
  return csv([['seconds', 'frame', ...plots.map(titleOf)],
    ...seconds.map((second, place) => [second.toFixed(3), frames[place], ...columns.map((values) => values[place] ?? '')])]);
}

// The planes that the address names.
function planesOf(text) {
  try {
    return JSON.parse(text || '[]').filter((one) => typeof one.x === 'string' && typeof one.y === 'string');
  } catch {
    return [];
  }
}

function Planes({ context, planes, chosen, show }) {
  return planes.map((plane, place) => html`<${Plane} key=${JSON.stringify(plane)} context=${context} plane=${plane} chosen=${chosen}
    remove=${() => show(planes.filter((_, other) => other !== place))} />`);
}

export function Plots({ context, schema }) {
  const { is } = route.use();
  const texts = (is.plots || '').split('|').filter(Boolean);
  const plots = texts.map(parse);
  const planes = planesOf(is.planes);
  const showPlanes = (list) => go({ is: { planes: list.length > 0 ? JSON.stringify(list) : '' } }, true);
  const addPlane = (plane) => attempt(async () => {
    const [answer] = await callAll([['entities.query', { context, query: plane.q, fields: [plane.x, plane.y], limit: 1 }]]);
    if (answer.error) throw new Error(answer.error.message);
    if (planes.length < 4) showPlanes([...planes, plane]);
  });
  const isSplit = planes.length > 0 && is.e;
  const samples = useSamples(context, plots);
  const show = (list) => go({ is: { plots: list.join('|') } }, true);
  const add = (event) => {
    event.preventDefault();
    const input = event.target.querySelector('input');
    const text = input.value.trim();
    if (!text || texts.includes(text) || texts.length >= 16) return;
    attempt(async () => {
      const [answer] = await callAll([requestOf(context, parse(text))]);
      if (answer.error) throw new Error(answer.error.message);
      show([...texts, text]);
      input.value = '';
    });
  };
  return html`<div class=${isSplit ? 'split has-entity' : 'split alone'}><section class="page list"><form class="tools" onSubmit=${add}>
      <input class="mono wide" aria-label="A value or a query" placeholder="70002:1 Position.x, or a query such as Frozen" /><button>+ Plot</button>
      <span class="total">sampled by this page five times a second, the last two minutes</span><span class="space"></span>
      ${plots.length > 0 && html`<button type="button" id="plots-csv" onClick=${() => save('plots.csv', 'text/csv', csvOf(plots, samples))}>CSV ⤓</button>`}</form>
    <${PlaneForm} schema=${schema} add=${addPlane} />
    <div class="scroll"><${Planes} context=${context} planes=${planes} chosen=${is.e} show=${showPlanes} />${plots.map((plot, place) => html`<${Plot} key=${plot.text} plot=${plot} samples=${samples}
      remove=${() => show(texts.filter((_, other) => other !== place))} />`)}
      ${plots.length + planes.length === 0 && html`<${Note}>Nothing is plotted. Name a field of an entity, or a query whose entities are counted, or two fields for a plane of points.<//>`}</div></section>
    ${isSplit && html`<${EntityPanel} key=${is.e} context=${context} schema=${schema} entity=${is.e} />`}</div>`;
}
