// Parts: small things that several views draw.
import { html, useEffect, useRef, useState } from './vendor/htm-preact.js';
import { same, short } from './values.js';
import { go } from './route.js';
import { makeStore } from './store.js';

// The last words of the page to its reader: { text, isBad }.
export const notice = makeStore(null);
let fading = 0;

export function tell(text, isBad) {
  notice.set({ text, isBad });
  clearTimeout(fading);
  fading = setTimeout(() => notice.set(null), isBad ? 8000 : 3000);
}

// Does something, and says why when it was refused.
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    tell(error.message, true);
    return undefined;
  }
}

// A button that is a sign: what it does is its name, and shows when one points at it.
export const Sign = ({ what, children, ...rest }) => html`<button class="plain small" aria-label=${what} title=${what} ...${rest}>${children}</button>`;

export const Note = ({ children }) => html`<p class="note">${children}</p>`;

const NO_METHOD = -32601;

// What was refused; calmly where this inspector cannot do it at all.
export function Trouble({ error }) {
  if (!error) return null;
  return error.code === NO_METHOD ? html`<${Note}>${error.message}<//>` : html`<p class="trouble" role="alert">${error.message}</p>`;
}

const MARKED = 600; // milliseconds
const STILL = 1000; // a value that changes more often is not marked

// A value that is marked when it changes after it stood still; the mark fades. One that always changes has none.
export function Live({ value, text, tag = 'span', ...rest }) {
  const seen = useRef(value);
  const changed = useRef(performance.now());
  const turn = useRef(0);
  const [calm, setCalm] = useState(0); // the turn whose mark is over
  if (!same(seen.current, value)) {
    const now = performance.now();
    if (now - changed.current > STILL) turn.current++;
    seen.current = value;
    changed.current = now;
  }
  useEffect(() => {
    if (turn.current === calm) return undefined;
    const own = turn.current;
    const timer = setTimeout(() => setCalm(own), MARKED);
    return () => clearTimeout(timer);
  }, [turn.current]);
  const mark = turn.current === calm ? '' : 'changed';
  return html`<${tag} ...${rest} class=${['live-value', rest.class, mark].filter(Boolean).join(' ')}>${text ?? short(value)}<//>`;
}

// A link to an entity, of the context in view unless another is named.
export function Handle({ entity, label, context }) {
  if (!entity) return html`<span class="dim">none</span>`;
  const open = (event) => {
    event.preventDefault();
    go({ view: 'entities', is: { e: entity }, ...(context && { context }) });
  };
  return html`<a class="handle" href="#" onClick=${open}>${entity}</a>${label ? ' ' + label : ''}`;
}

// A button that asks once more before it acts.
export function Twice({ label, warning, act, ...rest }) {
  const [isSure, setSure] = useState(false);
  useEffect(() => {
    if (!isSure) return undefined;
    const timer = setTimeout(() => setSure(false), 4000);
    return () => clearTimeout(timer);
  }, [isSure]);
  const click = () => (isSure ? (setSure(false), act()) : setSure(true));
  return html`<button ...${rest} class=${isSure ? 'danger' : ''} onClick=${click} title=${warning}>
    ${isSure ? 'Really? ' + warning : label}</button>`;
}

// Bars of the last values, the largest of which fills the height.
export function Spark({ values, limit, width = 96 }) {
  const most = Math.max(...values, 1);
  const step = width / 48;
  return html`<svg class="spark" width=${width} height="18" viewBox=${`0 0 ${width} 18`} aria-hidden="true">
    ${values.slice(-48).map((value, place) => {
      const height = Math.max(1, (value / most) * 17);
      return html`<rect class=${limit && value > limit ? 'over' : ''} x=${place * step} y=${18 - height}
        width=${step - 0.5} height=${height} />`;
    })}</svg>`;
}
