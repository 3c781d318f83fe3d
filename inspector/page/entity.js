// Entity: all of the selected entity: its components with editors, its groups, and the systems that use it.
import { html, useEffect, useMemo, useRef, useState } from './vendor/htm-preact.js';
import { call, game, hasMethod, ofWorld, useWatch } from './link.js';
import { Field } from './editor.js';
import { History } from './journal.js';
import { Live, Note, Sign, Trouble, Twice, attempt, tell } from './parts.js';
import { note, undoLast, undoable } from './undo.js';
import { ContentOf } from './content.js';
import { Relations } from './relations.js';
import { go, route } from './route.js';
import { isObject, quoted, short } from './values.js';

const NOT_ALIVE = 'KIN_ERROR_NOT_ALIVE';
const folded = new Set(['Origin']); // components that stay folded for the next entity; names of content stand above

// A short value of a folded component.
function Component({ info, value, context, entity, canEdit, isPinned, pin }) {
  const [isFolded, setFolded] = useState(folded.has(info.name));
  const isFlag = info.flag;
  const fold = () => {
    if (isFolded) folded.delete(info.name);
    else folded.add(info.name);
    setFolded(!isFolded);
  };
  const set = async (path, next, force) => {
    const answer = await call('components.set', { context, entity, path, value: next, ...(force ? { force } : {}) });
    note(`${path} ${short(answer.previous)} → ${short(answer.value)}`,
      ['components.set', { context, entity, path, value: answer.previous, force: true }]);
  };
  const remove = () => attempt(async () => {
    const answer = await call('components.remove', { context, entity, component: info.name });
    note('remove ' + info.name, ['components.add', { context, entity, component: info.name, value: answer.previous, force: true }]);
  });
  const watch = () => attempt(async () => {
    await call('watches.add', { context, entity, path: quoted(info.name) });
    tell('Watched: the journal shows its changes.');
  });
  const isFixed = !canEdit || info.inspect === 'read_only';
  const hasBody = !isFlag && isObject(value);
  return html`<section class="component" data-component=${info.name}>
    <h3>${hasBody ? html`<button class="plain fold" aria-expanded=${!isFolded} title=${isFolded ? 'Unfold' : 'Fold'} onClick=${fold}><span class="arrow">${isFolded ? '▸' : '▾'}</span>${info.name}</button>`
        : html`<span class="fold"><span class="arrow"></span>${info.name}</span>`}
      ${isFlag && html`<span class="dim">flag</span>`}${info.unique && html`<span class="dim">unique</span>`}
      ${hasBody && isFolded && html`<${Live} class="dim short" value=${value} />`}
      ${info.inspect === 'read_only' && html`<span class="dim">read-only</span>`}
      <span class="space"></span>
      <button class="plain small" aria-pressed=${isPinned} title=${isPinned ? 'Pinned first' : 'Pin first'} aria-label=${'Pin ' + info.name}
        onClick=${pin}>${isPinned ? '★' : '☆'}</button>
      ${hasBody && hasMethod('watches.add') && html`<button class="plain small" aria-label=${'Watch ' + info.name}
        title="Watch: note each system that changes it, in the journal" onClick=${watch}>◉</button>`}
      ${canEdit && html`<${Sign} what=${'Remove ' + info.name} onClick=${remove}>✕<//>`}</h3>
    ${info.doc && !isFolded && html`<p class="doc">${info.doc}</p>`}
    ${hasBody && !isFolded && info.fields.map((field) => html`<${Field} key=${field.name} field=${field}
      path=${`${quoted(info.name)}.${field.name}`} value=${value[field.name]} set=${set} canEdit=${!isFixed} />`)}
  </section>`;
}

function AddComponent({ context, entity, schema, held }) {
  const missing = schema.components.filter((one) => !(one.name in held) && one.inspect !== 'hidden');
  const add = (event) => attempt(async () => {
    const component = event.target.value;
    event.target.value = '';
    await call('components.add', { context, entity, component });
    folded.delete(component);
    note('add ' + component, ['components.remove', { context, entity, component }]);
  });
  return html`<select id="add-component" aria-label="Add a component" value="" onChange=${add}>
    <option value="">+ Add component …</option>${missing.map((one) => html`<option value=${one.name}>${one.name}</option>`)}</select>`;
}

// Whether having the component, or lacking it, breaks the rule.
const breaks = (rule, has) => !rule.ok && has === (rule.kind === 'none');

function Rules({ answer }) {
  return html`<div class="rules"><p>${answer.matches ? 'Yes: ' : 'No: '}${answer.says}.</p>
    ${answer.rules.map((rule) => html`<div class="rule"><span class="name">${rule.ok ? '✓' : '✗'} ${rule.kind}</span>
      ${Object.entries(rule.components).map(([name, has]) => html`<span class=${'chip' + (breaks(rule, has) ? ' bad' : '')}>${has ? 'has' : 'lacks'} ${name}</span>`)}</div>`)}</div>`;
}

export function Explain({ context, entity, group }) {
  const [answer, setAnswer] = useState(null);
  useEffect(() => {
    call('entities.explain', { context, entity, group }).then(setAnswer, (error) => setAnswer({ error }));
  }, [context, entity, group]);
  if (!answer) return null;
  return answer.error ? html`<${Trouble} error=${answer.error} />` : html`<${Rules} answer=${answer} />`;
}

function Groups({ context, entity, schema, member }) {
  const [asked, setAsked] = useState('');
  if (schema.groups.length === 0) return null;
  return html`<section class="more" id="groups"><h3>Groups</h3><p class="chips">
    ${schema.groups.map(({ name, doc }) => html`<button class=${'chip' + (member.includes(name) ? ' on' : '')} title=${doc || undefined}
      aria-pressed=${asked === name} onClick=${() => setAsked(asked === name ? '' : name)}>${name} ${member.includes(name) ? '✓' : '✗'}</button>`)}</p>
    ${asked && html`<${Explain} key=${asked + member.includes(asked)} context=${context} entity=${entity} group=${asked} />`}</section>`;
}

const OF_WHICH = 'The schema of the system lists the component, and not of which entities';

// Which systems read or write the components of the entity, as their schema says. One with a group does so for the
// members; of another one the schema does not say for which entities.
function Systems({ held, member }) {
  const [systems, setSystems] = useState([]);
  const { hello } = game.get();
  useEffect(() => {
    if (hello.worlds.some((world) => world.systems)) call('systems.list', ofWorld()).then((result) => setSystems(result.systems), () => {});
  }, []);
  const uses = (list) => (list || []).some((name) => name in held);
  const names = (chosen) => [...new Set(systems.filter(chosen).map((system) => system.name))];
  const visits = (one) => one.group && member.includes(one.group);
  const lines = [
    ['written by', names((one) => visits(one) && uses(one.writes))], ['read by', names((one) => visits(one) && uses(one.reads))],
    ['may be written by', names((one) => !one.group && uses(one.writes)), OF_WHICH],
    ['may be read by', names((one) => !one.group && uses(one.reads)), OF_WHICH],
    ['visited by', names(visits)],
  ].filter(([, list]) => list.length > 0);
  if (lines.length === 0) return null;
  const open = () => go({ view: 'systems' });
  return html`<section class="more"><h3>Systems</h3>${lines.map(([what, list, title]) => html`<p><span class="dim" title=${title}>${what}</span>
    ${list.map((name) => html` <button class="chip" onClick=${open}>${name}</button>`)}</p>`)}</section>`;
}

function Head({ context, entity, state, canEdit }) {
  const clone = () => attempt(async () => {
    const made = await call('entities.clone', { context, entity });
    note('clone ' + entity, ['entities.destroy', { context, entity: made.entity }]);
    tell(`Cloned as ${made.entity}.`);
    go({ is: { e: made.entity } });
  });
  const destroy = () => attempt(async () => {
    await call('entities.destroy', { context, entity });
    note(`destroy ${entity} (back under another handle)`, ['entities.create', { context, components: state.components, force: true }]);
  });
  return html`<div class="head"><${Sign} class="plain back" what="Back to the list" onClick=${() => go({ is: { e: '' } })}>←<//>
    <h2>${state ? state.label || state.name || '' : ''} <span class="mono handle">${entity}</span></h2><span class="space"></span>
    ${canEdit && html`<button id="clone" onClick=${clone}>Clone</button>
      <${Twice} id="destroy" label="Destroy" warning="its handle does not come back" act=${destroy} />`}</div>`;
}

function Undo() {
  const [first] = undoable.use();
  if (!first) return null;
  return html`<button id="undo" class="link" onClick=${undoLast}><kbd>u</kbd> Undo: ${first.text}</button>`;
}

const isDead = (error) => error && error.data && error.data.status === NOT_ALIVE;

export function EntityPanel({ context, schema, entity }) {
  const { result, error } = useWatch('entity', 'entities.get', { context, entity });
  const { is } = route.use();
  const { hello } = game.use();
  const panel = useRef(null);
  const pins = useMemo(() => (is.pins || '').split(',').filter(Boolean), [is.pins]);
  const kept = useRef(null);
  if (result) kept.current = result;
  const state = kept.current;
  const isGone = isDead(error);
  const canEdit = !hello.read_only && !isGone;
  const pin = (name) => go({ is: { pins: (pins.includes(name) ? pins.filter((one) => one !== name) : [...pins, name]).join(',') } }, true);
  const names = state ? Object.keys(state.components).sort((a, b) => pins.includes(b) - pins.includes(a)) : [];
  return html`<aside class="panel" aria-label="Entity" tabindex="-1" ref=${panel}>
    <${Head} context=${context} entity=${entity} state=${state} canEdit=${canEdit && state} />
    ${isGone && html`<p class="trouble" role="alert">It was destroyed.${state ? ' This is how it was seen last.' : ''}</p>`}
    ${error && !isGone && html`<${Trouble} error=${error} />`}
    ${!state && !error && html`<${Note}>Asking for it.<//>`}
    ${state && html`<${ContentOf} key=${entity} context=${context} entity=${entity} schema=${schema} canEdit=${canEdit} />`}
    ${names.map((name) => html`<${Component} key=${name} info=${schema.byName.get(name)} value=${state.components[name]} context=${context}
      entity=${entity} canEdit=${canEdit} isPinned=${pins.includes(name)} pin=${() => pin(name)} />`)}
    ${state && names.length === 0 && html`<${Note}>It has no components.<//>`}
    <div class="foot">${state && canEdit && html`<${AddComponent} context=${context} entity=${entity} schema=${schema} held=${state.components} />`}
      <${Undo} /></div>
    ${state && html`<${Relations} key=${entity} context=${context} entity=${entity} schema=${schema} />
      <${Groups} context=${context} entity=${entity} schema=${schema} member=${state.groups} />
      <${Systems} held=${state.components} member=${state.groups} /><${History} context=${context} entity=${entity} />`}
  </aside>`;
}
