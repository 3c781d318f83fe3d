// Schema: what the schema says of a context, asked for once for each stamp.
import { useEffect, useState } from './vendor/htm-preact.js';
import { OPEN, call, callAll, game } from './link.js';
import { quoted } from './values.js';

const kept = new Map(); // context → schema

// Notes how many entities have each of the first components.
async function addCounts(context, schema) {
  const some = schema.components.filter((one) => !one.flag).slice(0, 15);
  const answers = await callAll(some.map((one) => ['entities.query', { context, query: quoted(one.name), limit: 0 }]));
  some.forEach((one, place) => {
    one.entities = answers[place].result ? answers[place].result.total : 0;
  });
  return schema;
}

export function useSchema(context) {
  const [, draw] = useState(0);
  const { kind, hello } = game.use();
  const isThere = [...OPEN, 'ended'].includes(kind);
  const stamp = hello ? hello.worlds.map((world) => world.stamp).join() : '';
  useEffect(() => {
    if (!context || !isThere) return;
    call('schema.get', { context })
      .then((schema) => addCounts(context, schema))
      .then((schema) => {
        kept.set(context, { ...schema, byName: new Map(schema.components.map((one) => [one.name, one])) });
        draw((n) => n + 1);
      })
      .catch(() => {});
  }, [context, isThere, stamp]);
  return kept.get(context);
}

// The columns that a query shows when nobody has chosen: what it names, else the components that most entities have.
export function defaultColumns(schema, query) {
  const seen = schema.components.filter((one) => one.inspect !== 'hidden' && !one.unique)
    .sort((a, b) => (b.entities || 0) - (a.entities || 0));
  const named = seen.filter((one) => new RegExp(`(^|[^!\\w.])${one.name}\\b`).test(query) && !one.flag);
  const rest = seen.filter((one) => !one.flag && !named.includes(one));
  return [...named, ...rest].slice(0, Math.max(named.length, 4)).map((one) => one.name);
}
