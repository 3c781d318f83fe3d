// Bar: which game, how it does, and its time; and the views.
import { html } from './vendor/htm-preact.js';
import { beatNow, call, game, hasMethod, ofWorld, viewer } from './link.js';
import { Sign, attempt } from './parts.js';
import { go, route } from './route.js';
import { bytes, count, milliseconds } from './values.js';
import { theme, turnTheme } from './theme.js';
import { help } from './help.js';
import { turnTravel } from './travel.js';

export const VIEWS = [
  ['entities', 'Entities'], ['systems', 'Systems'], ['groups', 'Groups'], ['collectors', 'Collectors'],
  ['journal', 'Journal'], ['messages', 'Messages'], ['memory', 'Memory'], ['plots', 'Plots'], ['content', 'Content'],
  ['network', 'Network'],
];

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8];

async function change(method, params) {
  await attempt(() => call(method, { ...ofWorld(), ...params }));
  beatNow();
}

export const togglePause = () => change(['paused', 'held'].includes(game.get().kind) ? 'time.resume' : 'time.pause');
export const step = () => change('time.step', { updates: 1 });
export const stepSystem = () => change('time.step', { systems: 1 });

const ago = (since) => Math.max(1, Math.round((Date.now() - since) / 1000));

// The system in which the world hangs is at the end of the game's message.
const hangsIn = ({ trouble }) => (/, in (.+)$/.exec(trouble || '') || [])[1];

function stateOf(state) {
  if (state.silence > 0) return ['bad', `▲ no answer for ${state.silence} s`];
  switch (state.kind) {
    case 'live': return ['live', '● live'];
    case 'paused': return ['paused', '▮▮ paused' + (state.time.by && state.time.by !== viewer ? ' by ' + state.time.by : '')];
    case 'held': return ['paused', `▮▮ held ${state.time.held.after ? 'after' : 'before'} ${state.time.held.system}`];
    case 'stuck': return ['bad', `▲ not updating for ${ago(state.since)} s${hangsIn(state) ? ': in ' + hangsIn(state) : ''}`];
    case 'gone': return ['bad', `✕ game gone for ${ago(state.since)} s, trying again`];
    case 'ended': return ['bad', '✕ the world has ended'];
    case 'token': return ['bad', '✕ no token'];
    case 'empty': return ['paused', 'no world'];
    default: return ['paused', 'connecting …'];
  }
}

function Contexts({ hello, current }) {
  const all = hello.worlds.flatMap((world) => world.contexts.map((context) => ({ world: world.name, context })));
  const nameOf = ({ world, context }) => (world === context ? context : `${world} · ${context}`);
  if (all.length < 2) return html`<b class="world">${all.length ? nameOf(all[0]) : hello.name}</b>`;
  return html`<select class="world" aria-label="Context" value=${current}
    onChange=${(event) => go({ context: event.target.value, is: { e: '', q: '', cols: '' } })}>
    ${all.map((one) => html`<option value=${one.context}>${nameOf(one)}</option>`)}</select>`;
}

function Time({ state }) {
  const { hello, time, kind } = state;
  const isOff = !['live', 'paused', 'held'].includes(kind) || state.silence > 0;
  const stands = kind === 'paused' || kind === 'held';
  if (hello.read_only)
    return html`<span class="badge" title="KIN_INSPECT=read, or read_only of the options: nothing can be changed">read only</span>`;
  return html`<button id="pause" disabled=${isOff} onClick=${togglePause} aria-pressed=${stands}>
      ${stands ? '▶ Resume' : '▮▮ Pause'}</button>
    <button id="step" disabled=${isOff} onClick=${step} title="One update (.)">▸| Step</button>
    ${hasMethod('time.hold') && stands && html`<button id="step-system" disabled=${isOff} onClick=${stepSystem} title="To the next system (,)">▸ System</button>`}
    ${hasMethod('time.speed') && html`<select aria-label="Speed" disabled=${isOff} value=${time ? String(time.speed) : '1'}
      onChange=${(event) => change('time.speed', { speed: Number(event.target.value) })}>
      ${SPEEDS.map((speed) => html`<option value=${String(speed)}>${speed}×</option>`)}
      ${time && !SPEEDS.includes(time.speed) && html`<option value=${String(time.speed)}>${time.speed}×</option>`}
    </select>`}`;
}

function Figures({ state }) {
  const { hello, time, rate } = state;
  const cost = hello.cost;
  const more = `${count(cost.served)} requests served, ${count(cost.cut)} cut by the budget of ` +
    `${hello.limits.budget_microseconds} µs, ${count(cost.refused)} refused`;
  return html`<span class="figure">frame <b id="frame">${time ? count(time.frame) : '–'}</b></span>
    <span class="figure" title="Updates a second"><b>${rate.toFixed(rate < 10 ? 1 : 0)}</b>/s</span>
    ${time && time.update_nanoseconds > 0 &&
      html`<span class="figure" title="How long the last update took">update <b>${(time.update_nanoseconds / 1e6).toFixed(2)}</b> ms</span>`}
    <span class="figure cost" title=${more}>inspector <b>${milliseconds(cost.last_nanoseconds)}</b> ms${cost.p99_nanoseconds !== undefined && html`, p99 <b>${milliseconds(cost.p99_nanoseconds)}</b>`}${', '}<b>${bytes(cost.bytes)}</b></span>`;
}

export function Bar({ context }) {
  const state = game.use();
  const { view, is } = route.use();
  const [mood, words] = stateOf(state);
  return html`<header>
    <div class="bar">
      ${state.hello ? html`<${Contexts} hello=${state.hello} current=${context} /><${Figures} state=${state} />`
        : html`<b class="world">Kin inspector</b>`}
      <span class="space"></span>
      ${state.hello && html`<${Time} state=${state} />`}
      ${state.hello && html`<button id="travel" aria-pressed=${Boolean(is.time)} onClick=${turnTravel} title="Snapshots, and running until a query holds (t)">⟲ Time</button>`}
      <span id="state" class=${'state ' + mood} role="status" title=${state.trouble || ''}>${words}</span>
      <${Sign} class="plain" what="Dark or light" onClick=${turnTheme}>${theme.use() === 'dark' ? '☀' : '☾'}<//>
      <button class="plain" onClick=${() => help.set(true)} aria-label="Keys" title="Keys (?)">?</button>
    </div>
    <nav role="tablist" aria-label="Views">
      ${VIEWS.map(([name, title], place) => html`<button role="tab" id=${'tab-' + name} aria-selected=${view === name}
        onClick=${() => go({ view: name })}><kbd>${(place + 1) % 10}</kbd> ${title}</button>`)}
    </nav>
  </header>`;
}
