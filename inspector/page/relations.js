// Relations: where an entity stands in a tree, and which entities hold a relation to it.
import { html, useEffect, useState } from './vendor/htm-preact.js';
import { call, useWatch } from './link.js';
import { Handle } from './parts.js';
import { go } from './route.js';
import { count, quoted } from './values.js';

const SHOWN = 12; // holders
const MOST = 3; // relations: a page has eight subscriptions
const DEPTH = 32;

const parentIn = (components, { component, field }) => (components[component] || {})[field] || null;

// The parents of an entity, the root first.
async function findParents(context, relation, first) {
  const parents = [];
  for (let e = first; e && parents.length < DEPTH;) {
    const { label, components } = await call('entities.get', { context, entity: e });
    parents.unshift({ e, label });
    e = parentIn(components, relation);
  }
  return parents;
}

function Parents({ context, relation, parent }) {
  const [parents, setParents] = useState([]);
  useEffect(() => {
    findParents(context, relation, parent).then(setParents, () => setParents([]));
  }, [context, parent]);
  if (parents.length === 0) return null;
  return html`<p class="parents"><span class="dim">below</span>
    ${parents.map(({ e, label }) => html` <${Handle} key=${e} entity=${e} label=${label} context=${context} /> ›`)}</p>`;
}

function Holders({ context, entity, relation, place }) {
  const query = `${quoted(relation.component)} where ${quoted(relation.component)}.${relation.field} = ${entity}`;
  const { result } = useWatch('holders' + place, 'entities.query', { context, query, fields: [], limit: SHOWN }, 500);
  if (!result || result.total === 0) return null;
  const all = () => go({ view: 'entities', is: { q: query } });
  return html`<p class="holders"><span class="dim">${relation.name || `${relation.component}.${relation.field}`}</span>
    ${result.rows.map(({ e, label }) => html` <${Handle} key=${e} entity=${e} label=${label} context=${context} />`)}
    ${' '}<button class="link" onClick=${all}>▸ ${count(result.total)} in the list</button></p>`;
}

export function Relations({ context, entity, schema, held }) {
  const relations = (schema.relations || []).slice(0, MOST);
  if (relations.length === 0) return null;
  return html`<section class="more" id="relations"><h3>Relations</h3>
    ${relations.map((relation, place) => html`<div key=${place}>
      ${relation.tree && parentIn(held, relation) && html`<${Parents} context=${context} relation=${relation} parent=${parentIn(held, relation)} />`}
      <${Holders} context=${context} entity=${entity} relation=${relation} place=${place} /></div>`)}</section>`;
}
