// Overview: what a context has, while no entity is selected.
import { html } from './vendor/htm-preact.js';
import { useWatch } from './link.js';
import { Handle, Live, Note } from './parts.js';
import { go } from './route.js';
import { count } from './values.js';

function Uniques({ context }) {
  const { result } = useWatch('uniques', 'uniques.list', { context }, 500);
  const uniques = result ? result.uniques : [];
  if (uniques.length === 0) return null;
  return html`<h3>Unique components</h3><dl class="facts">${uniques.map((one) => html`
    <dt>${one.component}</dt><dd><${Handle} entity=${one.carrier} /> <${Live} value=${one.value} /></dd>`)}</dl>`;
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
    <h3>Groups</h3>
    <p class="chips">${schema.groups.map((group) => html`<button class="chip" title=${group.doc || undefined}
      onClick=${() => search('in ' + group.name)}>${group.name}</button>`)}</p>
    ${schema.groups.length === 0 && html`<${Note}>The schema declares none.<//>`}
    <h3>Components</h3>
    <p class="chips">${schema.components.map((one) => html`<button class="chip" title=${one.doc || undefined}
      onClick=${() => search(one.name)}>${one.name}</button>`)}</p>
    <${Uniques} context=${context} /><${Indices} context=${context} />
  </aside>`;
}
