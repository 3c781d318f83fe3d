// Undo: what the viewer has changed, the last one first.
import { call, beatNow } from './link.js';
import { makeStore } from './store.js';
import { attempt, tell } from './parts.js';

const MOST = 50;

export const undoable = makeStore([]); // { text, calls: [[method, params]] }

export function note(text, ...calls) {
  undoable.set([{ text, calls }, ...undoable.get()].slice(0, MOST));
}

export async function undoLast() {
  const [first, ...rest] = undoable.get();
  if (!first) {
    tell('Nothing to undo.');
    return;
  }
  undoable.set(rest);
  await attempt(async () => {
    for (const [method, params] of first.calls) await call(method, params);
    tell('Undone: ' + first.text);
  });
  beatNow();
}
