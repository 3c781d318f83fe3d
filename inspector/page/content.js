// Content: the files that the game watches with their errors; and what an entity has unlike its content.
import { html, useState } from './vendor/htm-preact.js';
import { call, game, hasMethod, useWatch } from './link.js';
import { Handle, Note, Trouble, attempt, tell } from './parts.js';
import { go } from './route.js';
import { note } from './undo.js';
import { count } from './values.js';

const words = (number, one, many) => `${count(number)} ${number === 1 ? one : many}`;

function Fault({ fault }) {
  const place = [fault.file, fault.line, fault.column].filter((one) => one !== null).join(':');
  const hint = fault.fix ? `write '${fault.fix}'` : fault.notes.map((note) => note.message).join('; ');
  return html`<li class="fault"><span class="mono">${place}</span> <b>${fault.message}</b> <span class="dim">${fault.code}</span>
    ${hint && html`<div class="dim">${hint}</div>`}</li>`;
}

function Faults({ result }) {
  if (!result.error) return html`<p id="content-state"><span class="live-mark">●</span> The files are applied.</p>`;
  const errors = result.errors.filter((one) => one.severity === 'error').length;
  return html`<div role="alert" id="content-state" class="trouble"><p><b>${errors ? words(errors, 'error', 'errors') : result.error}:</b>
    ${' '}nothing was applied. The game goes on with the content of before.</p>
    <ul class="faults">${result.errors.map((fault, place) => html`<${Fault} key=${place} fault=${fault} />`)}</ul></div>`;
}

// A file of the folder, without the folder.
const inFolder = (path, folder) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path);

function List({ title, names, faulty, folder, spawn }) {
  return html`<section><h3>${title} <span class="dim">${count(names.length)}</span></h3>
    <ul>${names.map((name) => html`<li key=${name} class="mono">${inFolder(name, folder)}${faulty && faulty.has(name) ? html` <span class="warning">▲ has errors</span>` : ''}${
      spawn && html` <button aria-label=${`Spawn ${name}`} onClick=${() => spawn(name)}>Spawn</button>`}</li>`)}</ul></section>`;
}

// Spawns a prefab, and shows it.
const spawnIn = (context) => (blueprint) => attempt(async () => {
  const made = await call('entities.spawn', { context, blueprint });
  note(`spawn ${made.entity}`, ['entities.destroy', { context, entity: made.entity }]);
  tell(`Spawned ${blueprint} as ${made.entity}.`);
  go({ view: 'entities', is: { e: made.entity } });
});

const NONE = 'kin_content *content = game_content_open(game, "content.kinc", NULL);';
const WATCH = 'kin_content_watch(content, "content", NULL);   // <kin/content_edit.h>';

export function Content({ context }) {
  const { hello } = game.use();
  const { result, error } = useWatch('content', 'content.status', { context }, 300);
  if (!result) return error ? html`<${Trouble} error=${error} />` : html`<${Note}>Asking for the content.<//>`;
  if (!result.content) return html`<div class="empty"><h2>No content</h2><p>The game has opened none for this context. One line does:</p><pre>${NONE}</pre></div>`;
  const faulty = new Set(result.errors.map((one) => one.file));
  return html`<section class="page" aria-label="Content"><div class="scroll">
    ${result.folder ? html`<${Faults} result=${result} /><p class="dim">Watches <span class="mono">${result.folder}</span></p>`
      : html`<p id="content-state">${result.error || 'The content is a pack; its files are not watched. One line does:'}</p><pre>${WATCH}</pre>`}
    <div class="lists"><${List} title="Files" names=${result.files} faulty=${faulty} folder=${result.folder} /><${List} title="Prefabs" names=${result.prefabs} spawn=${!hello.read_only && spawnIn(context)} />
      <${List} title="Levels" names=${result.levels} /></div></div></section>`;
}

// ---- of an entity

const pathOf = (one) => (one.part ? `${one.part}.${one.path}` : one.path);

function Difference({ one, entity, isChosen, choose }) {
  const path = pathOf(one);
  const box = one.left_out === null && html`<input type="checkbox" aria-label=${`Save ${path}`} checked=${isChosen} onChange=${() => choose(path)} />`;
  return html`<tr title=${one.left_out === null ? '' : `is not saved: ${one.left_out}`}>${choose && html`<td>${box}</td>`}
    <td class="mono">${path}${one.e !== entity && html` <${Handle} entity=${one.e} />`}</td>
    <td class="mono right">${one.given}</td><td class="mono right override">${one.value ?? html`<span class="dim">no content</span>`}</td></tr>`;
}

function LeftOut({ list }) {
  if (list.length === 0) return null;
  return html`<p class="dim" role="status" id="left-out">Not saved: ${list.map((one, place) => html`${place > 0 ? '; ' : ''}<span class="mono">${pathOf(one)}</span>, ${one.left_out}`)}.</p>`;
}

// `fields`: what is saved; null: all.
function Save({ context, entity, level, fields }) {
  const [name, setName] = useState('');
  const [leftOut, setLeftOut] = useState([]);
  const save = (to) => attempt(async () => {
    setLeftOut([]);
    const result = await call('content.save', { context, entity, to, ...(fields ? { fields } : {}) });
    setLeftOut(result.left_out);
    tell(`Saved ${words(result.saved, 'value', 'values')} to the ${['instance', 'prefab'].includes(to) ? to : `prefab ${to}`}.`);
  });
  const revert = () => attempt(async () => {
    const { reverted } = await call('content.revert', { context, entity });
    tell(`${words(reverted, 'value is', 'values are')} what the content says again.`);
  });
  const isName = /^[A-Z][A-Za-z0-9]*$/.test(name);
  const isNone = fields !== null && fields.length === 0;
  return html`<div class="tools">${level !== null && html`<button id="save-instance" disabled=${isNone} title=${`what level ${level} says of this instance`} onClick=${() => save('instance')}>Save to level</button>`}
    <button id="save-prefab" disabled=${isNone} onClick=${() => save('prefab')}>Save to prefab</button>
    <button id="revert" onClick=${revert}>Revert</button>
    <input id="new-prefab" type="text" placeholder="NewPrefab" aria-label="Name of a new prefab" value=${name} onInput=${(event) => setName(event.target.value.trim())} />
    <button id="save-new" disabled=${!isName || isNone} onClick=${() => save(name)}>Save as prefab</button></div><${LeftOut} list=${leftOut} />`;
}

// What `values` give is changed there: it can only be taken back.
function Values({ context, entity }) {
  const revert = () => attempt(async () => {
    const { reverted } = await call('content.revert', { context, entity });
    tell(`${words(reverted, 'value is', 'values are')} what the content says again.`);
  });
  return html`<div class="tools"><button id="revert" onClick=${revert}>Revert</button></div>
    <p class="dim">Unique components are changed below <span class="mono">values</span> in the file.</p>`;
}

const nothing = (result) => (result.values ? 'It is what values say.' : 'It is what the content says.');

export function ContentOf({ context, entity, schema, canEdit }) {
  const has = schema.byName.has('Origin') && hasMethod('content.diff');
  const { result } = useWatch('content-of', 'content.diff', has ? { context, entity } : null, 1000);
  const [omitted, setOmitted] = useState([]); // paths that are not saved
  if (!result || (!result.name && !result.values)) return null;
  const list = result.differences;
  const isSaved = canEdit && !result.values;
  const choose = (path) => setOmitted(omitted.includes(path) ? omitted.filter((one) => one !== path) : [...omitted, path]);
  const chosen = list.filter((one) => one.left_out === null).map(pathOf).filter((path) => !omitted.includes(path));
  const fields = chosen.length === list.length ? null : chosen;
  return html`<section class="more" id="content-of"><h3>Content</h3><p class="mono" id="content-name">${result.name || 'values'}</p>
    ${list.length === 0 ? html`<p class="dim">${nothing(result)}</p>`
      : html`<table class="plain-table inner" aria-label="Overrides"><thead><tr>${isSaved && html`<th></th>`}<th>unlike its content</th><th class="right">content</th><th class="right">now</th></tr></thead>
        <tbody>${list.map((one) => html`<${Difference} key=${one.e + one.path} one=${one} entity=${entity} isChosen=${!omitted.includes(pathOf(one))} choose=${isSaved && choose} />`)}</tbody></table>
        ${isSaved && html`<${Save} context=${context} entity=${entity} level=${result.level} fields=${fields} />`}
        ${canEdit && result.values && html`<${Values} context=${context} entity=${entity} />`}`}</section>`;
}
