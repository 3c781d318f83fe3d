// The page of the inspector: the bar, one view, and the keys.
import { html, render, useEffect } from './vendor/htm-preact.js';
import { Bar, step, stepSystem, togglePause, VIEWS } from './bar.js';
import { beginLink, game, setWorld } from './link.js';
import { beginRoute, go, route } from './route.js';
import { Help, help } from './help.js';
import { Note, notice } from './parts.js';
import { useSchema } from './schema.js';
import { undoLast } from './undo.js';
import { takeMark } from './marks.js';
import { Travel, turnTravel } from './travel.js';
import { Entities } from './entities.js';
import { Systems } from './systems.js';
import { Collectors, Groups } from './groups.js';
import { Memory } from './memory.js';
import { Journal } from './journal.js';
import { Messages } from './messages.js';
import { Plots } from './plots.js';
import { Content } from './content.js';
import { Network } from './network.js';

const views = {
  entities: Entities, systems: Systems, groups: Groups, collectors: Collectors,
  journal: Journal, messages: Messages, memory: Memory, plots: Plots, content: Content, network: Network,
};

function worldOf(hello, context) {
  const all = hello ? hello.worlds : [];
  return all.find((world) => world.contexts.includes(context)) || all.find((world) => world.contexts.length > 0) || all[0];
}

// The wanted context, else the one that most games have, else the first.
const contextOf = ({ contexts }, wanted) => [wanted, 'game'].find((name) => contexts.includes(name)) || contexts[0] || '';

function NoToken({ wasLive }) {
  return html`<div class="empty"><h2>${wasLive ? 'The game was started anew, with another token' : 'The token is missing or wrong'}</h2>
    <p>Open the address that the game printed. It looks like
      <code>http://127.0.0.1:5460/#token=…</code></p></div>`;
}

function NoWorld() {
  return html`<div class="empty"><h2>No world</h2><p>The game has added none. One line does:</p>
    <pre>kin_inspect(arena_world_base(world), NULL);</pre></div>`;
}

function Page() {
  const state = game.use();
  const place = route.use();
  const world = worldOf(state.hello, place.context);
  const context = world ? contextOf(world, place.context) : '';
  setWorld(world && state.hello.worlds.length > 1 ? world.name : '');
  const schema = useSchema(context);
  useEffect(() => {
    if (context && place.context !== context) go({ context }, true);
  }, [context, place.context]);
  useEffect(() => {
    document.title = state.hello ? `${state.hello.name} – Kin inspector` : 'Kin inspector';
  }, [state.hello && state.hello.name]);
  const View = views[place.view] || Entities;
  let body = html`<${Note}>Connecting to the game.<//>`;
  if (state.kind === 'token') body = html`<${NoToken} wasLive=${state.wasLive} />`;
  else if (state.kind === 'gone' && !state.hello) body = html`<${Note}>The game does not answer. Trying again.<//>`;
  else if (state.kind === 'empty') body = html`<${NoWorld} />`;
  else if (schema) body = html`<${View} key=${place.view + context} context=${context} schema=${schema} world=${world} />`;
  const words = notice.use();
  return html`<${Bar} context=${context} /><${Travel} context=${context} />
    <main class=${['gone', 'stuck', 'ended'].includes(state.kind) || state.silence > 0 ? 'stale' : ''}>${body}</main>
    ${words && html`<div class=${'notice' + (words.isBad ? ' bad' : '')} role="status">${words.text}</div>`}
    <${Help} />`;
}

// ---- keys

const focusOn = (selector) => {
  const found = document.querySelector(selector);
  if (found) found.focus();
  return found !== null;
};

function leave() {
  if (help.get()) help.set(false);
  else if (document.activeElement && document.activeElement !== document.body) document.activeElement.blur();
  else if (route.get().is.e) go({ is: { e: '' } });
}

const isTyping = (target) =>
  target.closest && target.closest('input:not([type=checkbox]):not([type=range]), textarea, select') !== null;

const acts = {
  '/': () => focusOn('#query'), '?': () => help.set(true), ' ': togglePause, '.': step, ',': stepSystem, u: undoLast, t: turnTravel, m: () => takeMark(route.get().context),
  e: () => focusOn('.panel .editor:not([disabled])'), Escape: leave, Enter: () => focusOn('.panel'),
  j: () => dispatchEvent(new CustomEvent('kin-move', { detail: 1 })),
  k: () => dispatchEvent(new CustomEvent('kin-move', { detail: -1 })),
};
acts.ArrowDown = acts.j;
acts.ArrowUp = acts.k;

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  const onButton = event.target.closest && event.target.closest('button, a') !== null;
  if (isTyping(event.target) && event.key !== 'Escape') return;
  if (onButton && (event.key === ' ' || event.key === 'Enter')) return;
  const number = '1234567890'.indexOf(event.key);
  if (number >= 0 && event.key.length === 1) go({ view: VIEWS[number][0] });
  else if (acts[event.key]) acts[event.key]();
  else return;
  event.preventDefault();
});

beginRoute();
beginLink();
const root = document.getElementById('app');
root.replaceChildren();
render(html`<${Page} />`, root);
