// Plots: values over time, as this page has seen them: a field of an entity, or how many entities match a query.
import { html, useEffect, useRef, useState } from './vendor/htm-preact.js';
import { callAll, game } from './link.js';
import { Note, attempt } from './parts.js';
import { go, route } from './route.js';
import { short } from './values.js';

const MOST = 600; // samples
const PERIOD = 200;
const [WIDTH, HEIGHT] = [900, 120];

// What a plot is of: "70002:1 Position.x", or a query.
function parse(text) {
  const found = /^(\d+:\d+)\s+([\w.[\]`]+)$/.exec(text);
  return found ? { text, entity: found[1], path: found[2] } : { text, query: text };
}

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

// Samples all plots at once, and keeps the last ones of each.
function useSamples(context, plots) {
  const kept = useRef(new Map());
  const [, draw] = useState(0);
  const key = plots.map((plot) => plot.text).join('\n');
  useEffect(() => {
    if (plots.length === 0) return undefined;
    const take = async () => {
      if (document.hidden || game.get().kind !== 'live') return; // plots stop with the game
      const answers = await callAll(plots.map((plot) => requestOf(context, plot)));
      answers.forEach((answer, place) => {
        const line = kept.current.get(plots[place].text) || { values: [], error: '' };
        const { value, error } = sampleOf(plots[place], answer);
        line.error = error || '';
        if (value !== undefined) line.values = [...line.values.slice(1 - MOST), value];
        kept.current.set(plots[place].text, line);
      });
      draw((n) => n + 1);
    };
    const timer = setInterval(() => take().catch(() => {}), PERIOD);
    return () => clearInterval(timer);
  }, [context, key]);
  return kept.current;
}

function Line({ values }) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = most - least || 1;
  const points = values.map((value, i) => `${((i / (MOST - 1)) * WIDTH).toFixed(1)},${(HEIGHT - 6 - ((value - least) / span) * (HEIGHT - 12)).toFixed(1)}`);
  return html`<svg class="plot" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" height=${HEIGHT} aria-hidden="true">
    <polyline points=${points.join(' ')} /></svg>`;
}

function Plot({ plot, line, remove }) {
  const values = line ? line.values : [];
  return html`<section class="watch"><h3><span class="mono">${plot.entity ? `${plot.path} of ${plot.entity}` : 'count of ' + (plot.text || 'all entities')}</span>
      ${values.length > 0 && html`<b>${short(values.at(-1))}</b><span class="dim">${short(Math.min(...values))} to ${short(Math.max(...values))}</span>`}
      ${line && line.error && html`<span class="warning">${line.error}</span>`}<span class="space"></span>
      <button class="plain small" aria-label=${'Remove the plot of ' + plot.text} onClick=${remove}>✕</button></h3>
    ${values.length > 1 && html`<${Line} values=${values} />`}</section>`;
}

export function Plots({ context }) {
  const { is } = route.use();
  const texts = (is.plots || '').split('|').filter(Boolean);
  const plots = texts.map(parse);
  const lines = useSamples(context, plots);
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
  return html`<section class="page"><form class="tools" onSubmit=${add}>
      <input class="mono wide" aria-label="A value or a query" placeholder="70002:1 Position.x, or a query such as Frozen" /><button>+ Plot</button>
      <span class="total">sampled by this page five times a second, the last two minutes</span></form>
    <div class="scroll">${plots.map((plot, place) => html`<${Plot} key=${plot.text} plot=${plot} line=${lines.get(plot.text)}
      remove=${() => show(texts.filter((_, other) => other !== place))} />`)}
      ${plots.length === 0 && html`<${Note}>Nothing is plotted. Name a field of an entity, or a query whose entities are counted.<//>`}</div></section>`;
}
