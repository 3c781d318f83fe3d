// Groups and collectors of a context.
import { html, useEffect, useRef, useState } from './vendor/htm-preact.js';
import { call, hasMethod, ofWorld, useWatch, game } from './link.js';
import { Explain } from './entity.js';
import { Handle, Live, Note, Trouble } from './parts.js';
import { go, route } from './route.js';
import { count, queryOfMatcher } from './values.js';

// ---- groups

function useSystems() {
  const [systems, setSystems] = useState([]);
  useEffect(() => {
    if (game.get().hello.worlds.some((world) => world.systems)) call('systems.list', ofWorld()).then((result) => setSystems(result.systems), () => {});
  }, []);
  return systems;
}

function IsIn({ context, schema }) {
  const { is } = route.use();
  const [entity, setEntity] = useState(is.e || '');
  const [group, setGroup] = useState(schema.groups.length ? schema.groups[0].name : '');
  if (!group) return null;
  return html`<div class="is-in"><label>Is <input class="mono" type="text" placeholder="70002:1" value=${entity} aria-label="Entity"
      onInput=${(event) => setEntity(event.target.value.trim())} /></label>
    <label>in <select value=${group} aria-label="Group" onChange=${(event) => setGroup(event.target.value)}>
      ${schema.groups.map((one) => html`<option value=${one.name}>${one.name}</option>`)}</select> ?</label>
    ${/^\d+:\d+$/.test(entity) && html`<${Explain} key=${entity + group} context=${context} entity=${entity} group=${group} />`}</div>`;
}

// A system with the group, or one that reacts to its events. Contexts have groups with the same names.
const usesGroup = (system, context, name) => [system, ...(system.triggers || [])].some((one) => one.context === context && one.group === name);

function Group({ context, group, systems }) {
  const query = group.name ? 'in ' + group.name : queryOfMatcher(group.matcher);
  const users = systems.filter((system) => group.name && usesGroup(system, context, group.name)).map((system) => system.name);
  return html`<tr><td>${group.name || html`<span class="dim">ad hoc</span>`}</td>
    <td class="mono wrap">${group.matcher}${group.order ? `, in the order of ${group.order}` : ''}</td><td class="wrap">${group.doc || ''}</td>
    <td class="right"><${Live} value=${group.members} text=${count(group.members)} /></td>
    <td class="right">${group.listeners}</td><td>${users.map((name) => html`<button class="chip" onClick=${() => go({ view: 'systems', is: { filter: name } })}>${name}</button> `)}</td>
    <td><button class="link" onClick=${() => go({ view: 'entities', is: { q: query, e: '' } })}>▸ entities</button></td></tr>`;
}

export function Groups({ context, schema }) {
  const { is } = route.use();
  const { result, error } = useWatch('groups', 'groups.list', { context }, 300);
  const systems = useSystems();
  if (!result) return error ? html`<${Trouble} error=${error} />` : html`<${Note}>Asking for the groups.<//>`;
  const filter = (is.filter || '').toLowerCase();
  const groups = result.groups.filter((group) => `${group.name} ${group.matcher}`.toLowerCase().includes(filter));
  return html`<section class="page"><div class="tools"><input type="search" placeholder="filter…" aria-label="Filter" value=${is.filter || ''}
      onInput=${(event) => go({ is: { filter: event.target.value } }, true)} /></div>
    <div class="scroll"><table class="plain-table"><thead><tr><th>group</th><th>matcher</th><th>doc</th><th class="right">members</th>
      <th class="right">listeners</th><th>used by</th><th></th></tr></thead>
    <tbody>${groups.map((group, place) => html`<${Group} key=${group.name || group.matcher + place} context=${context} group=${group} systems=${systems} />`)}</tbody></table>
    ${result.groups.length === 0 && html`<${Note}>No group was made yet, and the schema declares none.<//>`}
    <${IsIn} context=${context} schema=${schema} /></div></section>`;
}

// ---- collectors

const NEGLECTED = 600; // updates

// Since which frame each collector has had entities that wait. Nothing is pushed while a result stays the same.
function useSince(result, frame) {
  const since = useRef(new Map());
  if (result)
    result.collectors.forEach((one, place) => {
      const key = (one.name || '') + place;
      const before = since.current.get(key);
      if (one.waiting === 0 || (before && one.waiting < before.most)) since.current.delete(key);
      else since.current.set(key, { frame: before ? before.frame : frame, most: Math.max(one.waiting, before ? before.most : 0) });
    });
  return since.current;
}

function Why({ context, number }) {
  const { result, error } = useWatch('why', 'collectors.why', { context, number }, 500);
  if (error) return html`<${Trouble} error=${error} />`;
  if (!result || (result.began && result.collections.length === 0)) return html`<${Note}>It is traced from now on.<//>`;
  if (result.collections.length === 0) return html`<${Note}>Nothing was collected since it is traced.<//>`;
  const list = result.collections.slice(-50).reverse();
  return html`<table class="plain-table inner" aria-label="Why"><tbody>${list.map((one, place) => html`<tr key=${place}><td><${Handle} entity=${one.e} /></td>
    <td>${one.component || one.group || ''} ${one.change}</td><td>by ${one.system || 'outside'}</td><td>in frame ${count(one.frame)}</td>
    <td class=${one.verdict === 'passed' ? '' : 'warning'}>${one.verdict}</td></tr>`)}</tbody></table>`;
}

function Collector({ context, collector, number, since, frame, isOpen, open }) {
  const isNeglected = since && frame - since.frame > NEGLECTED;
  return html`<tr><td>${collector.name || html`<span class="dim">unnamed, of game code</span>`}</td>
    <td>${collector.triggers.map((trigger) => html`<div><span class="mono">${trigger.group || trigger.matcher}</span> ${trigger.event.replaceAll('_', ' ')}</div>`)}</td>
    <td class="right"><${Live} value=${collector.waiting} text=${count(collector.waiting)} /></td>
    <td>${collector.active ? 'collecting' : 'inactive'} ${isNeglected && html`<span class="warning">⚠ not drained for ${count(frame - since.frame)} updates</span>`}</td>
    <td>${hasMethod('collectors.why') && html`<button class="link" aria-expanded=${isOpen} onClick=${open}>${isOpen ? '▾' : '▸'} why</button>`}</td></tr>
    ${isOpen && html`<tr><td colspan="5"><${Why} context=${context} number=${number} /></td></tr>`}`;
}

export function Collectors({ context }) {
  const { result, error } = useWatch('collectors', 'collectors.list', { context }, 300);
  const { time } = game.use();
  const frame = time ? time.frame : 0;
  const since = useSince(result, frame);
  const [opened, setOpened] = useState(-1);
  if (!result) return error ? html`<${Trouble} error=${error} />` : html`<${Note}>Asking for the collectors.<//>`;
  return html`<section class="page"><div class="scroll"><table class="plain-table"><thead><tr><th>collector</th><th>triggers</th>
      <th class="right">waiting</th><th>state</th><th></th></tr></thead>
    <tbody>${result.collectors.map((one, place) => html`<${Collector} key=${place} context=${context} collector=${one} number=${place}
      since=${since.get((one.name || '') + place)} frame=${frame} isOpen=${opened === place}
      open=${() => setOpened(opened === place ? -1 : place)} />`)}</tbody></table>
    ${result.collectors.length === 0 && html`<${Note}>The context has no collectors.<//>`}</div></section>`;
}
