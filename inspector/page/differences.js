// Differences of two values.
import { isObject, same, short } from './values.js';

// The fields that differ: points 97 → 96.
export function differences(was, is, path = '') {
  if (isObject(was) && isObject(is))
    return Object.keys(is).flatMap((key) => differences(was[key], is[key], path ? `${path}.${key}` : key));
  return same(was, is) ? [] : [`${path} ${short(was)} → ${short(is)}`];
}
