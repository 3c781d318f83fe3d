// Help: all keys, and what the inspector costs.
import { html, useEffect, useRef } from './vendor/htm-preact.js';
import { game } from './link.js';
import { bytes, count, milliseconds } from './values.js';
import { makeStore } from './store.js';

export const help = makeStore(false);

const KEYS = [
  ['/', 'the query'], ['j  k  ↓  ↑', 'the next and the previous row'], ['Enter', 'open the entity'],
  ['e', 'edit its first field'], ['Esc', 'back'], ['Space', 'pause and resume'], ['.', 'one update'], [',', 'to the next system'],
  ['t', 'snapshots, and running until a query holds'], ['u', 'undo the last change'], ['m', 'mark what the query matches, to compare it later'], ['1 – 9, 0', 'the views'], ['?', 'this list'],
];

function Cost({ hello }) {
  const { cost, limits } = hello;
  const facts = [
    ['its last update', milliseconds(cost.last_nanoseconds) + ' ms'],
    cost.p99_nanoseconds !== undefined && ['99 % of the last ones', 'at most ' + milliseconds(cost.p99_nanoseconds) + ' ms'],
    ['all updates together', milliseconds(cost.sum_nanoseconds) + ' ms'],
    ['memory', `${bytes(cost.bytes)} of ${bytes(limits.memory)}`],
    ['requests served', count(cost.served)],
    [`cut by the budget of ${limits.budget_microseconds} µs`, count(cost.cut)],
    ['refused by the library', count(cost.refused)],
    cost.dropped !== undefined && ['events not sent', count(cost.dropped)],
  ].filter(Boolean);
  return html`<h2>What the inspector costs</h2><dl>${facts.map(([what, value]) => html`<dt>${what}</dt><dd>${value}</dd>`)}</dl>`;
}

export function Help() {
  const close = useRef(null);
  const isOpen = help.use();
  const { hello } = game.use();
  useEffect(() => {
    if (isOpen && close.current) close.current.focus();
  }, [isOpen]);
  if (!isOpen) return null;
  return html`<div class="cover" onClick=${() => help.set(false)}>
    <div class="dialog" role="dialog" aria-modal="true" aria-label="Keys" onClick=${(event) => event.stopPropagation()}>
      <h2>Keys</h2>
      <dl>${KEYS.map(([key, what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl>
      ${hello && html`<${Cost} hello=${hello} />`}
      <button ref=${close} onClick=${() => help.set(false)}>Close</button>
    </div></div>`;
}
