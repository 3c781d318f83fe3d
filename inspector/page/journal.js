// Journal: what changed, by which system; values that are watched; and marks, to compare two moments.
import { html, useState } from './vendor/htm-preact.js';
import { call, game, hasMethod, useWatch } from './link.js';
import { Handle, Note, Sign, Trouble, attempt, tell } from './parts.js';
import { go, route } from './route.js';
import { differences } from './differences.js';
import { csv, save } from './download.js';
import { Marks } from './marks.js';
import { Audits } from './audits.js';
import { count, short } from './values.js';

const NOT_RECORDING = -33106;
const NO_METHOD = -32601;
const KINDS = ['created', 'destroyed', 'added', 'removed', 'replaced', 'touched', 'written'];
const SIZES = [1, 4, 16]; // MiB

function valuesOf({ was, is }) {
  if (was !== undefined && is !== undefined) return differences(was, is).join(', ') || short(is);
  if (is !== undefined) return short(is);
  return was !== undefined ? 'was ' + short(was) : '';
}

function Record({ record }) {
  const isWritten = record.kind === 'written';
  return html`<tr class=${isWritten ? 'written' : ''}><td class="right">${count(record.frame)}</td>
    <td title=${record.role || undefined}>${record.system || 'outside'}</td>
    <td>${isWritten ? html`<span class="warning" title="In place: no listener was notified">⚠ written</span>` : record.kind}</td>
    <td><${Handle} entity=${record.e} /></td><td>${record.component || ''}</td><td class="mono wrap">${valuesOf(record)}</td></tr>`;
}

export function Records({ records }) {
  return html`<table class="plain-table records"><thead><tr><th class="right">frame</th><th>system</th><th>what</th><th>entity</th>
      <th>component</th><th>before → after</th></tr></thead>
    <tbody>${records.map((record) => html`<${Record} key=${record.n} record=${record} />`)}</tbody></table>`;
}

// ---- starting and stopping

function Start({ context, schema }) {
  const [chosen, setChosen] = useState([]);
  const [size, setSize] = useState(4);
  const { hello } = game.use();
  const turn = (name) => setChosen(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]);
  const start = () => attempt(async () => {
    await call('journal.start', { context, bytes: size * 1048576, ...(chosen.length ? { components: chosen, lives: true } : {}) });
    tell('Recording.');
  });
  if (hello.read_only) return html`<${Note}>The journal is off, and a read-only inspector does not start it.<//>`;
  return html`<div class="empty"><h2>The journal is off</h2>
    <p>It notes each change of an entity, with its system, its frame, and the values before and after. A noted change costs about
      20 ns; other components cost nothing. The newest changes are kept. It ends ten seconds after the page is closed.</p>
    <p class="chips" role="group" aria-label="Components to record">${schema.components.filter((one) => one.inspect !== 'hidden').map((one) =>
      html`<button class=${'chip' + (chosen.includes(one.name) ? ' on' : '')} aria-pressed=${chosen.includes(one.name)}
        onClick=${() => turn(one.name)}>${one.name}</button>`)}</p>
    <p><button id="record" onClick=${start}>● Record ${chosen.length ? chosen.join(', ') : 'everything'}</button>
      <label class="dim"> in <select aria-label="Size" value=${String(size)} onChange=${(event) => setSize(Number(event.target.value))}>
        ${SIZES.map((one) => html`<option value=${String(one)}>${one} MiB</option>`)}</select></label></p></div>`;
}

const csvOf = (records) => csv([['frame', 'system', 'kind', 'entity', 'component', 'was', 'is'],
  ...records.map((one) => [one.frame, one.system, one.kind, one.e, one.component, JSON.stringify(one.was), JSON.stringify(one.is)])]);

function Filters({ is, schema }) {
  const change = (key) => (event) => go({ is: { [key]: event.target.value.trim() } }, true);
  return html`<input type="search" class="mono" placeholder="entity 70002:1" aria-label="Entity" value=${is.je || ''} onChange=${change('je')} />
    <select aria-label="Component" value=${is.jc || ''} onChange=${change('jc')}><option value="">any component</option>
      ${schema.components.map((one) => html`<option value=${one.name}>${one.name}</option>`)}</select>
    <input type="search" placeholder="system" aria-label="System" value=${is.js || ''} onChange=${change('js')} />
    <select aria-label="Kind" value=${is.jk || ''} onChange=${change('jk')}><option value="">any change</option>
      ${KINDS.map((kind) => html`<option value=${kind}>${kind}</option>`)}</select>`;
}

function Tools({ context, is, schema, result }) {
  const stop = () => attempt(() => call('journal.stop', { context }));
  const records = result.records;
  return html`<div class="tools"><${Filters} is=${is} schema=${schema} /><span class="space"></span>
    <span class="total">● recording, <b>${count(result.count ?? records.length)}</b> changes kept${result.lost > 0 && `, ${count(result.lost)} older ones not`}</span>
    <button onClick=${() => save('journal.json', 'application/json', JSON.stringify(records, null, 1))}>JSON ⤓</button>
    <button onClick=${() => save('journal.csv', 'text/csv', csvOf(records))}>CSV ⤓</button>
    <button id="stop" onClick=${stop}>Stop</button></div>`;
}

// ---- watches

function Watched({ context, watch }) {
  const remove = () => attempt(() => call('watches.remove', { context, watch: watch.watch }));
  return html`<section class="watch"><h3><${Handle} entity=${watch.e} /> <span class="mono">${watch.path}</span>
      <span class="mono dim">${watch.value === undefined ? 'gone' : short(watch.value)}</span>
      <span class="dim">${count(watch.count)} changes</span>
      <${Sign} what=${'Stop watching ' + watch.path} onClick=${remove}>✕<//></h3>
    ${watch.changes.length > 0 && html`<${Records} records=${[...watch.changes].reverse()} />`}</section>`;
}

function Watches({ context }) {
  const { result, error } = useWatch('watches', 'watches.list', { context }, 300);
  const add = (event) => {
    event.preventDefault();
    const [entity, path] = [...event.target.querySelectorAll('input')].map((input) => input.value.trim());
    attempt(() => call('watches.add', { context, entity, path }));
  };
  if (error && error.code === NO_METHOD) return null;
  const watches = result ? result.watches : [];
  return html`<section class="watches"><form class="tools" onSubmit=${add}><b>Watches</b>
      <span class="dim">find also what is written in place</span><span class="space"></span>
      <input class="mono" placeholder="70002:1" aria-label="Watched entity" /><input class="mono" placeholder="Position.x" aria-label="Watched path" />
      <button>Watch</button></form>
    ${watches.map((watch) => html`<${Watched} key=${watch.watch} context=${context} watch=${watch} />`)}</section>`;
}

export function Journal({ context, schema }) {
  const { is } = route.use();
  const filters = { ...(is.je && { entity: is.je }), ...(is.jc && { component: is.jc }), ...(is.js && { system: is.js }), ...(is.jk && { kind: is.jk }) };
  const { result, error } = useWatch('journal', 'journal.read', { context, limit: 200, ...filters }, 300);
  const isOff = error && error.code === NOT_RECORDING;
  let body = html`<${Note}>Asking for the journal.<//>`;
  if (isOff) body = html`<${Start} context=${context} schema=${schema} />`;
  else if (error) body = html`<${Trouble} error=${error} />`;
  else if (result) body = html`<${Tools} context=${context} is=${is} schema=${schema} result=${result} />
    ${result.records.length > 0 ? html`<${Records} records=${[...result.records].reverse()} />` : html`<${Note}>Nothing that matches has changed yet.<//>`}`;
  return html`<section class="page"><div class="scroll"><${Watches} context=${context} /><${Audits} context=${context} schema=${schema} /><${Marks} context=${context} />${body}</div></section>`;
}

// The last changes of one entity, while the journal records; a line for the panel.
export function History({ context, entity }) {
  const { result } = useWatch('history', 'journal.read', hasMethod('journal.read') ? { context, entity, limit: 8 } : null, 400);
  if (!result || result.records.length === 0) return null;
  return html`<section class="more history"><h3>History</h3>${[...result.records].reverse().map((one) => html`<p key=${one.n}>
    <span class="dim">${count(one.frame)}</span> ${one.system || 'outside'} <span class=${one.kind === 'written' ? 'warning' : 'dim'}>${one.kind}</span>
    ${' '}${one.component || ''} <span class="mono">${valuesOf(one)}</span></p>`)}</section>`;
}
