// Rows: which entities the list asks for, so that only those in sight are sent and drawn.
//
// A list goes on after a slot, not after a number of rows. So the slots of rows are asked for without fields, a thousand
// at once, as far as the reader scrolls: then the rows in sight begin at a known slot.
import { useEffect, useRef, useState } from './vendor/htm-preact.js';
import { callAll, useWatch } from './link.js';

export const ROW = 28; // pixels
const PAGE = 1000;
const MOST = 100000; // rows that a list can scroll to
const SPARE = 10; // rows above and below those in sight

const slotOf = (entity) => entity.slice(entity.indexOf(':') + 1);
const isOrdered = (query) => /\border\s+by\b/.test(query);

// The slots of rows, by number, for one query.
function makeMap(context, query) {
  return { context, query, slots: [], next: '0', isBusy: false };
}

// Asks for slots until the row with this number is known.
async function extend(map, wanted) {
  while (map.next !== null && map.slots.length <= wanted && map.slots.length < MOST) {
    const params = { context: map.context, query: map.query, limit: PAGE, after: map.next };
    const [answer] = await callAll([['entities.query', params]]);
    if (!answer.result) return;
    map.slots.push(...answer.result.rows.map((row) => slotOf(row.e)));
    map.next = answer.result.next;
  }
}

// Returns the slots again, from the page of this row on, as entities come and go.
async function refresh(map, first) {
  const start = Math.max(0, Math.floor(first / 200) * 200 - 200);
  if (start >= map.slots.length) return;
  const params = { context: map.context, query: map.query, limit: PAGE, after: start === 0 ? '0' : map.slots[start] };
  const [answer] = await callAll([['entities.query', params]]);
  if (!answer.result) return;
  map.slots.splice(start, map.slots.length, ...answer.result.rows.map((row) => slotOf(row.e)));
  map.next = answer.result.next;
}

const clamp = (value, least, most) => Math.max(least, Math.min(value, most));

// The rows in sight: { total, first, rows, error, count }. `top` and `height` are those of the scrolled box.
export function useRows({ context, query, fields, top, height, isReady }) {
  const [, draw] = useState(0);
  const map = useRef(null);
  if (!map.current || map.current.query !== query || map.current.context !== context)
    map.current = makeMap(context, query);
  const own = map.current;
  const ordered = isOrdered(query);
  const sight = Math.ceil(height / ROW / 5) * 5 + 2 * SPARE;
  const wanted = Math.max(0, Math.floor(top / ROW / 5) * 5 - SPARE);
  const isKnown = wanted === 0 || ordered || own.slots.length > wanted;
  const first = ordered ? 0 : isKnown ? wanted : clamp(wanted, 0, Math.max(0, own.slots.length - 1));

  useEffect(() => {
    if (isKnown || own.isBusy) return;
    own.isBusy = true;
    extend(own, wanted + sight).catch(() => {}).then(() => {
      own.isBusy = false;
      draw((n) => n + 1);
    });
  }, [own, isKnown, wanted]);
  useEffect(() => {
    if (first === 0 || ordered) return undefined;
    const timer = setInterval(() => refresh(own, first).then(() => draw((n) => n + 1), () => {}), 2000);
    return () => clearInterval(timer);
  }, [own, first, ordered]);

  const limit = ordered ? clamp(wanted + sight + SPARE, 1, PAGE) : sight;
  const after = first === 0 ? undefined : own.slots[first];
  const watch = useWatch('rows', 'entities.query', isReady ? { context, query, fields, limit, after, names: true } : null);
  const kept = useRef({ first: 0, rows: [], total: 0 });
  // An error stays until the next answer, as showing it changes the height of the list.
  if (watch.isCurrent && watch.result) kept.current = { first, ...watch.result };
  else if (watch.isCurrent) kept.current = { ...kept.current, error: watch.error };
  const { rows, total } = kept.current;
  const shown = ordered ? rows.slice(wanted, wanted + sight) : rows;
  return {
    total, rows: shown, first: ordered ? Math.min(wanted, rows.length) : kept.current.first,
    count: Math.min(total, ordered ? PAGE : MOST), ordered, frame: kept.current.frame,
    error: kept.current.error, isFirst: !kept.current.frame,
  };
}
