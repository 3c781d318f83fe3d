// Overview: what a context has, while no entity is selected.
import { html } from './vendor/htm-preact.js';
import { useWatch } from './link.js';
import { Handle, Live, Note } from './parts.js';
import { go } from './route.js';
import { count, isObject, short } from './values.js';

// The fields of a value, those of structs with their paths.
function leavesOf(value, path = '') {
  if (!isObject(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, path ? `${path}.${name}` : name));
}

// Whether the schema says that the field names an entity.
function isEntity(info, path) {
  const field = path.split('.').reduce((inner, name) => inner && (inner.fields || []).find((one) => one.name === name), info);
  return Boolean(field) && field.type === 'entity' && !field.count && !field.list;
}

function Unique({ one, info }) {
  const isFlag = info && info.flag;
  const leaves = one.carrier && !isFlag ? leavesOf(one.value) : [];
  return html`<section class="unique" data-unique=${one.component}><h4 title=${(info && info.doc) || undefined}>${one.component}
      ${one.carrier ? html` <${Handle} entity=${one.carrier} />` : html` <span class="dim">no entity has it</span>`}</h4>
    ${leaves.length > 0 && html`<dl class="facts">${leaves.map(([path, value]) => html`<dt>${path}</dt><dd>${
      isEntity(info, path) ? html`<${Handle} entity=${value} />` : html`<${Live} class="mono" value=${value} text=${short(value)} />`}</dd>`)}</dl>`}</section>`;
}

function Uniques({ context, schema }) {
  const { result } = useWatch('uniques', 'uniques.list', { context }, 500);
  const uniques = result ? result.uniques : [];
  if (uniques.length === 0) return null;
  return html`<h3>Unique components</h3>${uniques.map((one) => html`<${Unique} key=${one.component} one=${one}
    info=${schema.byName.get(one.component)} />`)}`;
}

function Indices({ context }) {
  const { result } = useWatch('indices', 'indices.list', { context }, 1000);
  const indices = result ? result.indices : [];
  if (indices.length === 0) return null;
  return html`<h3>Indices</h3><dl class="facts">${indices.map((one) => html`
    <dt title=${one.doc || undefined}>${one.name}</dt><dd>${count(one.entities)} entities${one.primary ? ', each has a key of its own' : ''}</dd>`)}</dl>`;
}

export function Overview({ context, schema, total }) {
  const search = (q) => go({ is: { q } });
  return html`<aside class="panel overview" aria-label="The context" tabindex="-1">
    <h2>${context}</h2>
    ${schema.doc && html`<p>${schema.doc}</p>`}
    <p class="dim">${count(total)} ${total === 1 ? 'entity matches' : 'entities match'}. Select one to see all of it.</p>
    <${Uniques} context=${context} schema=${schema} />
    <h3>Groups</h3>
    <p class="chips">${schema.groups.map((group) => html`<button class="chip" title=${group.doc || undefined}
      onClick=${() => search('in ' + group.name)}>${group.name}</button>`)}</p>
    ${schema.groups.length === 0 && html`<${Note}>The schema declares none.<//>`}
    <h3>Components</h3>
    <p class="chips">${schema.components.map((one) => html`<button class="chip" title=${one.doc || undefined}
      onClick=${() => search(one.name)}>${one.name}</button>`)}</p>
    <${Indices} context=${context} />
  </aside>`;
}
