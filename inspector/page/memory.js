// Memory: what components and blueprints of a context need.
import { html, useEffect, useState } from './vendor/htm-preact.js';
import { call } from './link.js';
import { Note, Trouble } from './parts.js';
import { go } from './route.js';
import { bytes, count } from './values.js';

const SLOTS = 512; // of a column

const percent = (part, whole) => Math.round((100 * part) / whole) + ' %';

// What is in use, of what is there for it.
function Meter({ value, most, what }) {
  if (most === 0) return null;
  return html`<meter min="0" max=${most} value=${value} title=${what} aria-label=${what}></meter>`;
}

function Components({ report }) {
  const list = [...report.components].sort((a, b) => b.allocated - a.allocated);
  return html`<table class="plain-table"><thead><tr><th>component</th><th class="right">columns</th><th class="right">values</th>
      <th class="right">used</th><th class="right">allocated</th><th>slots in use</th></tr></thead>
    <tbody>${list.map((one) => html`<tr key=${one.component}><td><button class="link" onClick=${() => go({ view: 'entities', is: { q: one.component, e: '' } })}>${one.component}</button></td>
      <td class="right">${count(one.columns)}</td><td class="right">${count(one.values)}</td>
      <td class="right">${bytes(one.used)}</td><td class="right">${bytes(one.allocated)}</td>
      <td>${one.columns > 0 && html`<${Meter} value=${one.values} most=${one.columns * SLOTS} what=${`${count(one.values)} of ${count(one.columns * SLOTS)} slots`} />
        ${percent(one.values, one.columns * SLOTS)}`}</td></tr>`)}</tbody></table>`;
}

function Pools({ report }) {
  return html`<table class="plain-table"><thead><tr><th>blueprint</th><th class="right">chunks</th><th class="right">entities</th>
      <th class="right">free slots</th><th>slots in use</th></tr></thead>
    <tbody>${report.pools.map((pool) => html`<tr key=${pool.blueprint || ''}><td>${pool.blueprint || html`<span class="dim">none</span>`}</td>
      <td class="right">${count(pool.chunks)}</td><td class="right">${count(pool.entities)}</td><td class="right">${count(pool.free)}</td>
      <td>${pool.chunks > 0 && html`<${Meter} value=${pool.entities} most=${pool.entities + pool.free} what=${`${count(pool.entities)} of ${count(pool.entities + pool.free)} slots`} />
        ${percent(pool.entities, pool.entities + pool.free)}`}</td></tr>`)}</tbody></table>`;
}

export function Memory({ context }) {
  const [state, setState] = useState({});
  const read = () => call('memory.report', { context }).then((report) => setState({ report }), (error) => setState({ ...state, error }));
  useEffect(() => {
    read();
  }, [context]);
  const { report, error } = state;
  const sum = (key) => report.components.reduce((total, one) => total + one[key], 0);
  return html`<section class="page"><div class="tools">
      ${report && html`<span class="total"><span>components use <b>${bytes(sum('used'))}</b> of <b>${bytes(sum('allocated'))}</b> in ${count(report.chunks)} ${report.chunks === 1 ? 'chunk' : 'chunks'} of ${SLOTS} slots</span></span>`}
      <span class="space"></span><button onClick=${read}>Refresh</button></div>
    <${Trouble} error=${error} />
    ${!report && !error && html`<${Note}>Measuring.<//>`}
    ${report && html`<div class="scroll"><${Components} report=${report} /><${Pools} report=${report} /></div>`}</section>`;
}
