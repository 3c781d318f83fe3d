// Differences: of two values, as text; and those that a stream sends, applied to what it sent before.
import { isObject, same, short } from './values.js';

// The fields that differ: points 97 → 96.
export function differences(was, is, path = '') {
  if (isObject(was) && isObject(is))
    return Object.keys(is).flatMap((key) => differences(was[key], is[key], path ? `${path}.${key}` : key));
  return same(was, is) ? [] : [`${path} ${short(was)} → ${short(is)}`];
}

// ---- of streams

// Objects are merged, all else is replaced.
function merged(was, is) {
  if (!isObject(was) || !isObject(is)) return is;
  const value = { ...was };
  for (const key of Object.keys(is)) value[key] = merged(was[key], is[key]);
  return value;
}

const slotOf = ({ e }) => Number(e.slice(e.indexOf(':') + 1));

// Puts new rows, which come in order of slots, among the others.
function joined(rows, fresh) {
  const all = [];
  for (const row of rows) {
    while (fresh.length > 0 && slotOf(fresh[0]) < slotOf(row)) all.push(fresh.shift());
    all.push(row);
  }
  return [...all, ...fresh];
}

function changedRows(rows, changes, gone) {
  const left = new Set(gone);
  const byHandle = new Map(changes.map((row) => [row.e, row]));
  const kept = rows.filter((row) => !left.has(row.e)).map((row) => {
    const { whole, ...change } = byHandle.get(row.e) || {};
    byHandle.delete(row.e);
    return whole ? change : merged(row, change);
  });
  return byHandle.size > 0 ? joined(kept, [...byHandle.values()]) : kept;
}

// The result after a difference: the members that it has replace the former ones; rows of entities are merged.
export function applied(result, change) {
  const { rows, gone, ...members } = change;
  if (!Array.isArray(gone)) return { ...result, ...change };
  return { ...result, ...members, rows: changedRows(result.rows, rows, gone) };
}
