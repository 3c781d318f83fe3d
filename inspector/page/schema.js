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

const ROWS = 100; // that say which components the list has
const MOST_ASKED = 32; // columns of a query

// The columns that a query shows when the reader has chosen none: what it names, else the components that most of its
// first rows have. Null until these are known.
export function useColumns(context, schema, query) {
  const [found, setFound] = useState({ query: null, columns: [] });
  useEffect(() => {
    let isOver = false;
    // The names of content stand beside the handles already.
    const seen = schema.components.filter((one) => one.inspect !== 'hidden' && !one.unique && !one.flag && one.name !== 'Origin');
    const named = seen.filter((one) => new RegExp(`(^|[^!\\w.])${one.name}\\b`).test(query));
    const asked = [...seen].sort((a, b) => (b.entities || 0) - (a.entities || 0)).map((one) => one.name).slice(0, MOST_ASKED);
    const use = (rows) => {
      const times = new Map(asked.map((name) => [name, rows.filter((row) => name in row.v).length]));
      const held = asked.filter((name) => rows.length === 0 || times.get(name) > 0).sort((a, b) => times.get(b) - times.get(a));
      const names = [...named.map((one) => one.name), ...held.filter((name) => !named.some((one) => one.name === name))];
      if (!isOver) setFound({ query, columns: names.slice(0, Math.max(named.length, 4)) });
    };
    call('entities.query', { context, query, fields: asked, limit: ROWS }).then((result) => use(result.rows), () => use([]));
    return () => (isOver = true);
  }, [context, schema, query]);
  return found.query === null ? null : found.columns;
}
