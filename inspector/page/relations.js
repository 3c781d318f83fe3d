// Relations: where an entity stands in a tree, and which entities hold a relation to it.
import { html } from './vendor/htm-preact.js';
import { useWatch } from './link.js';
import { Handle } from './parts.js';
import { go } from './route.js';
import { count, quoted } from './values.js';

const Named = ({ one, context }) => html` <${Handle} entity=${one.e} label=${one.label ?? one.name} context=${context} />`;

function Above({ context, above }) {
  if (above.length === 0) return null;
  return html`<p class="parents"><span class="dim">below</span>
    ${above.map((one) => html`<${Named} key=${one.e} one=${one} context=${context} /> ›`)}</p>`;
}

// The holders, in the order of the relation.
function Holders({ context, entity, relation }) {
  if (relation.count === 0) return null;
  const query = `${quoted(relation.component)} where ${quoted(relation.component)}.${relation.field} = ${entity}`;
  const all = () => go({ view: 'entities', is: { q: query } });
  return html`<div class="holders"><span class="dim">${relation.name || `${relation.component}.${relation.field}`}</span>
    <ol>${relation.holders.map((one) => html`<li key=${one.e}><${Named} one=${one} context=${context} /></li>`)}</ol>
    <button class="link" onClick=${all}>▸ ${count(relation.count)} in the list</button></div>`;
}

export function Relations({ context, entity, schema }) {
  const has = (schema.relations || []).length > 0;
  const { result } = useWatch('relations', 'relations.list', has ? { context, entity } : null, 500);
  if (!result) return null;
  const shown = result.relations.filter((one) => one.count > 0 || one.above.length > 0);
  if (shown.length === 0) return null;
  return html`<section class="more" id="relations"><h3>Relations</h3>
    ${shown.map((relation) => html`<div key=${relation.component + relation.field}><${Above} context=${context} above=${relation.above} />
      <${Holders} context=${context} entity=${entity} relation=${relation} /></div>`)}</section>`;
}
