// Help: all keys.
import { html, useEffect, useRef } from './vendor/htm-preact.js';
import { makeStore } from './store.js';

export const help = makeStore(false);

const KEYS = [
  ['/', 'the query'], ['j  k  ↓  ↑', 'the next and the previous row'], ['Enter', 'open the entity'],
  ['e', 'edit its first field'], ['Esc', 'back'], ['Space', 'pause and resume'], ['.', 'one update'], [',', 'to the next system'],
  ['u', 'undo the last change'], ['1 – 8', 'the views'], ['?', 'this list'],
];

export function Help() {
  const close = useRef(null);
  const isOpen = help.use();
  useEffect(() => {
    if (isOpen && close.current) close.current.focus();
  }, [isOpen]);
  if (!isOpen) return null;
  return html`<div class="cover" onClick=${() => help.set(false)}>
    <div class="dialog" role="dialog" aria-modal="true" aria-label="Keys" onClick=${(event) => event.stopPropagation()}>
      <h2>Keys</h2>
      <dl>${KEYS.map(([key, what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl>
      <button ref=${close} onClick=${() => help.set(false)}>Close</button>
    </div></div>`;
}
