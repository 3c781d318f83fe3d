// Systems: the tree as it runs, with times, and what each one reads and writes.
import { html, useRef } from './vendor/htm-preact.js';
import { beatNow, call, game, hasMethod, ofWorld, useWatch } from './link.js';
import { Timeline } from './timeline.js';
import { Written, useWritten } from './audits.js';
import { Note, Spark, Trouble, attempt } from './parts.js';
import { go, route } from './route.js';
import { note } from './undo.js';
import { count, milliseconds, quoted } from './values.js';

const ONCE = ['initialize', 'start', 'tear_down', 'dispose', 'first_update']; // not in each update
const KEPT = 48;
const WIDTHS = [200, 84, 70, 70, 70, 70, 116, 146]; // pixels of the columns; the last one has the rest

// The times of all roles that an update calls, in nanoseconds.
function timesOf(system) {
  const roles = Object.entries(system.nanoseconds).filter(([role]) => !ONCE.includes(role)).map(([, times]) => times);
  if (roles.length === 0) return null;
  const sum = (key) => roles.reduce((total, times) => total + times[key], 0);
  return { last: sum('last'), average: sum('average'), p99: sum('p99'), maximum: sum('maximum') };
}

const keyOf = (system) => `${system.systems}/${system.place}`;

// Keeps the last times of each system, one for each answer.
function useHistory(result) {
  const kept = useRef({ result: null, lines: new Map() });
  if (result && kept.current.result !== result) {
    kept.current.result = result;
    for (const system of result.systems) {
      const times = timesOf(system);
      if (!times) continue;
      const line = kept.current.lines.get(keyOf(system)) || [];
      line.push(times.last);
      if (line.length > KEPT) line.shift();
      kept.current.lines.set(keyOf(system), line);
    }
  }
  return kept.current.lines;
}

const ofTrigger = ({ group, event }) => ['in ' + group, `${group} ${event.replaceAll('_', ' ')}`];

// Systems of one node with the same batch run side by side.
const Batch = ({ batch }) => html`<span class="uses" title=${`Systems of the node with batch ${batch} run side by side`}>parallel <span
  class="dim">batch</span> ${batch}</span>`;

// What the schema says that the system uses and does. A chip of components and groups shows their entities.
function Used({ system }) {
  const open = (query, context) => () => go({ view: 'entities', is: { q: query, e: '' }, ...(context && { context }) });
  const chips = (what, list) => list && list.length > 0 && html`<span class="uses"><span class="dim">${what}</span>
    ${list.map((name) => html` <button class="chip" onClick=${open(quoted(name))}>${name}</button>`)}</span>`;
  const words = (what, list) => list && list.length > 0 && html`<span class="uses"><span class="dim">${what}</span> ${list.join(', ')}</span>`;
  return html`${system.parallel && html`<${Batch} batch=${system.batch} />`}
    ${system.group && html`<span class="uses"><span class="dim">group</span> <button class="chip"
    onClick=${open('in ' + system.group, system.context)}>${system.group}</button></span>`}
    ${(system.triggers || []).length > 0 && html`<span class="uses"><span class="dim">reacts to</span>${system.triggers.map((one) => html` <button class="chip"
      onClick=${open(ofTrigger(one)[0], one.context)}>${ofTrigger(one)[1]}</button>`)}</span>`}
    ${words('receives', system.inbox)}${chips('writes', system.writes)}${chips('reads', system.reads)}${words('looks up', system.looks_up)}
    ${chips('changes', system.changes)}${words('spawns', system.spawns)}${system.destroys && html`<span class="uses dim">destroys</span>`}
    ${words('publishes', system.publishes)}`;
}

function Times({ times, warn }) {
  const cell = (value) => html`<td class=${'right' + (warn && value > warn ? ' over' : '')}>${milliseconds(value)}</td>`;
  if (!times) return html`<td class="right dim" colspan="4"></td>`;
  return html`${cell(times.last)}${cell(times.average)}${cell(times.p99)}${cell(times.maximum)}`;
}

// What is unusual: in a column of its own, so that nothing moves when it comes and goes.
function State({ system, line, warn }) {
  const over = warn ? line.filter((value) => value > warn).length : 0;
  const title = `Over ${warn / 1e6} ms in ${over} of the last ${line.length} times that this page has seen`;
  return html`${over > 0 && html`<span class="warning" title=${title}>⚠ over in ${over} of ${line.length}</span>`}
    ${!system.enabled && html`<span class="dim">disabled</span>`}
    ${system.waiting !== undefined && html`<span class="dim">${count(system.waiting)} waiting</span>`}`;
}

function System({ system, line, warn, isReadOnly, isOrdered, written }) {
  const enable = (event) => {
    const enabled = event.target.checked;
    const params = { ...ofWorld(), systems: system.systems, place: system.place };
    return attempt(async () => {
      await call('systems.enable', { ...params, enabled });
      note(`${enabled ? 'enable' : 'disable'} ${system.name}`, ['systems.enable', { ...params, enabled: !enabled }]);
    });
  };
  const hold = () => attempt(async () => {
    await call('time.hold', { ...ofWorld(), system: system.name });
    beatNow();
  });
  const isNode = system.kind === 'collection';
  const name = system.name || 'unnamed';
  const times = timesOf(system);
  const canHold = !isNode && !isReadOnly && hasMethod('time.hold');
  return html`<tr class=${(isNode ? 'node' : '') + (system.enabled ? '' : ' disabled')} data-system=${system.name || ''}>
    <td class=${'indent-' + (isOrdered ? Math.min(system.depth, 8) : 0)}><div class="named"><label title=${system.doc || undefined}>
      <input type="checkbox" checked=${system.enabled} disabled=${isReadOnly} onChange=${enable} aria-label=${'Enabled: ' + name} /> ${name}</label>
      ${canHold && html`<button class="plain small hold" onClick=${hold} title=${'Hold before ' + name} aria-label=${'Hold before ' + name}>⏸</button>`}</div></td>
    <td class="dim">${isNode ? '' : system.kind}</td>
    <${Times} times=${times} warn=${warn} />
    <td>${line.length > 0 && html`<${Spark} values=${line} limit=${warn} />`}</td>
    <td class="state-cell"><${State} system=${system} line=${line} warn=${warn} /></td>
    <td class="more-cell"><${Used} system=${system} /><${Written} written=${written} /></td></tr>`;
}

const SORTS = { order: 'order', last: 'last', average: 'avg', p99: 'p99', maximum: 'max' };

function arrange(systems, filter, sort) {
  const lower = filter.toLowerCase();
  const list = systems.filter((system) => !lower || (system.name || '').toLowerCase().includes(lower));
  if (sort === 'order') return list;
  const value = (system) => (timesOf(system) || { [sort]: -1 })[sort];
  return list.filter((system) => system.kind !== 'collection').sort((a, b) => value(b) - value(a));
}

function Tools({ is, result }) {
  const change = (key) => (event) => go({ is: { [key]: event.target.value } }, true);
  return html`<div class="tools">
    <input type="search" aria-label="Filter" placeholder="filter…" value=${is.filter || ''} onInput=${change('filter')} />
    <label>warn over <input class="narrow" type="number" min="0" step="0.1" value=${is.warn ?? '2'} onChange=${change('warn')} /> ms</label>
    <label>sort <select value=${is.sort || 'order'} onChange=${change('sort')}>
      ${Object.entries(SORTS).map(([key, title]) => html`<option value=${key}>${title}</option>`)}</select></label>
    <span class="space"></span>
    <span class="total">${result.update_nanoseconds > 0 && html`update <b>${milliseconds(result.update_nanoseconds)}</b> ms; `}times of the last 240 calls</span></div>`;
}

export function Systems({ world, context }) {
  const { is } = route.use();
  const { hello } = game.use();
  const { result, error } = useWatch('systems', 'systems.list', world.systems ? ofWorld() : null, 250);
  const lines = useHistory(result);
  const written = useWritten(context);
  if (!world.systems)
    return html`<div class="empty"><h2>No systems</h2><p>The game has given no systems:</p>
      <pre>kin_inspector_add(inspector, context, systems);</pre></div>`;
  if (!result) return error ? html`<${Trouble} error=${error} />` : html`<${Note}>Asking for the systems.<//>`;
  const sort = SORTS[is.sort] ? is.sort : 'order';
  const warn = Number(is.warn ?? 2) * 1e6;
  const systems = arrange(result.systems, is.filter || '', sort);
  return html`<section class="page"><${Tools} is=${is} result=${result} /><div class="scroll">
    <table class="plain-table systems"><colgroup>${WIDTHS.map((width) => html`<col style=${{ width: width + 'px' }} />`)}<col /></colgroup>
    <thead><tr><th>system</th><th>kind</th><th class="right">last ms</th><th class="right">avg</th>
      <th class="right">p99</th><th class="right">max</th><th>times</th><th>state</th><th>uses</th></tr></thead>
    <tbody>${systems.map((system) => html`<${System} key=${keyOf(system)} system=${system} line=${lines.get(keyOf(system)) || []} warn=${warn}
      isReadOnly=${hello.read_only} isOrdered=${sort === 'order'} written=${written.get(system.name)} />`)}</tbody></table>
    ${systems.length === 0 && html`<${Note}>No system has this in its name.<//>`}</div><${Timeline} key=${world.name} /></section>`;
}
