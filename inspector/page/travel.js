// Travel: states of the game to return to, and a query to run until. A strip under the bar, of all views.
import { html, useEffect, useState } from './vendor/htm-preact.js';
import { beatNow, call, game, hasMethod, ofWorld, useWatch } from './link.js';
import { Handle, Note, Sign, attempt, tell } from './parts.js';
import { differences } from './differences.js';
import { note } from './undo.js';
import { go, route } from './route.js';
import { bytes, count, short } from './values.js';

const KEEP = 60;
const PERIOD = 10; // updates

export const turnTravel = () => go({ is: { time: route.get().is.time ? '' : '1' } }, true);

// ---- until

function Until({ context, state }) {
  const { is } = route.use();
  const until = state.time && state.time.until;
  const run = (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    const params = { context, query: form.get('query'), for: form.get('for'), ...(form.get('each') && { after: 'system' }) };
    attempt(async () => {
      const time = await call('time.until', params);
      if (time.paused) tell('It holds already.');
      beatNow();
    });
  };
  const words = {
    asked: 'asked after each update', refused: until && `refused: it took ${count(until.microseconds)} µs, and may take 2000`,
    met: until && `held in frame ${count(until.frame)}`,
  };
  return html`<form class="tools" id="until" onSubmit=${run}><b>Run until</b>
    <select name="for" aria-label="Until">
      <option value="any">an entity matches</option><option value="none">none matches</option></select>
    <input name="query" class="mono wide" aria-label="Query to run until" placeholder="Health where points < 20" defaultValue=${is.q || ''} key=${is.q || ''} />
    <label><input type="checkbox" name="each" /> asked after each system</label>
    <button>▸ Run</button>
    ${until && html`<span class="total" id="until-state" role="status"><b>${until.state}</b> ${words[until.state]}</span>`}</form>`;
}

// ---- differences

function Row({ row, several }) {
  const values = row.was !== undefined && row.is !== undefined ? differences(row.was, row.is).join(', ') : short(row.is ?? row.was);
  const open = (event) => {
    event.preventDefault();
    go({ context: row.context, view: 'entities', is: { e: row.e } });
  };
  return html`<tr>${several && html`<td>${row.context}</td>`}<td>${several ? html`<a class="handle" href="#" onClick=${open}>${row.e}</a>`
    : html`<${Handle} entity=${row.e} />`}</td><td>${row.kind}</td><td>${row.component || ''}</td><td class="mono wrap">${values}</td></tr>`;
}

function Difference({ found, close }) {
  const { answer, words } = found;
  const several = new Set(answer.rows.map((row) => row.context)).size > 1;
  return html`<section class="difference"><p class="total">${words}: <b>+${count(answer.appeared)}</b> appeared, <b>−${count(answer.gone)}</b> gone, <b>${count(answer.changed)}</b> changes${answer.rows.length < answer.appeared + answer.gone + answer.changed && `, the first ${count(answer.rows.length)} shown`} <${Sign} what="Close the differences" onClick=${close}>✕<//></p>
    ${answer.rows.length === 0 ? html`<${Note}>Nothing differs.<//>` : html`<div class="scroll"><table class="plain-table" aria-label="Differences of snapshots">
      <tbody>${answer.rows.map((row, place) => html`<${Row} key=${place} row=${row} several=${several} />`)}</tbody></table></div>`}</section>`;
}

// ---- snapshots

const nameOf = (one) => `frame ${count(one.frame)}`;

async function restore(one, pauses, anew) {
  if (pauses) await call('time.pause', ofWorld());
  const { previous } = await call('snapshots.restore', { ...ofWorld(), snapshot: one.snapshot, ...(anew && { anew }) });
  if (previous) note(`return to ${nameOf(one)}`, ['snapshots.restore', { ...ofWorld(), snapshot: previous }]);
  if (!pauses) await call('time.resume', ofWorld());
  tell(pauses ? `The game stands as after ${nameOf(one)}.` : `The game goes on from ${nameOf(one)}.`);
  beatNow();
}

function Comparison({ list, one, comparable, show }) {
  const [other, setOther] = useState('');
  const to = list.find((each) => String(each.snapshot) === other);
  const compare = () => attempt(async () => {
    const [from, until] = to && to.snapshot < one.snapshot ? [to, one] : [one, to];
    const answer = await call('snapshots.diff', { ...ofWorld(), from: from.snapshot, ...(until && { to: until.snapshot }), limit: 200 });
    show({ answer, words: `from ${nameOf(from)} to ${until ? nameOf(until) : 'now'}` });
  });
  if (!comparable) return null;
  return html`<span class="pair"><button id="compare" onClick=${compare}>Compare with</button><select aria-label="Compare with" value=${to ? other : ''}
    onChange=${(event) => setOther(event.target.value)}><option value="">now</option>
    ${list.filter((each) => each !== one).map((each) => html`<option value=${String(each.snapshot)}>${nameOf(each)}, ${each.snapshot}</option>`)}</select></span>`;
}

function Slider({ result, show }) {
  const [chosen, setChosen] = useState(0); // number of a snapshot; 0: the newest
  const [anew, setAnew] = useState(false);
  const list = result.snapshots;
  if (list.length === 0) return html`<${Note}>No snapshot yet.<//>`;
  const found = list.findIndex((one) => one.snapshot === chosen);
  const place = found >= 0 ? found : chosen === 0 ? list.length - 1 : 0;
  const one = list[place];
  const back = (pauses) => attempt(async () => {
    setChosen(one.snapshot); // the state before becomes the newest one
    await restore(one, pauses, anew);
  });
  return html`<div class="tools travel"><input type="range" id="snapshot" aria-label="Snapshot" aria-valuetext=${`${nameOf(one)}, ${place + 1} of ${list.length}`}
      min="0" max=${list.length - 1} value=${place} onInput=${(event) => setChosen(list[Number(event.target.value)].snapshot)} />
    <span class="total"><b id="chosen">${nameOf(one)}</b> <span>${place + 1} of ${list.length}, ${count(one.entities)} entities, ${bytes(one.bytes)}</span></span>
    <button id="return" onClick=${() => back(true)} title="The game stands as it was then">⟲ Return</button>
    <button id="fork" onClick=${() => back(false)} title="The game goes on as it was then">▸ Fork from here</button>
    <label title="Collectors and group systems are notified of all entities, as after loading a game"><input type="checkbox" checked=${anew}
      onChange=${(event) => setAnew(event.target.checked)} /> notify all</label>
    <${Comparison} list=${list} one=${one} comparable=${result.comparable} show=${show} /></div>`;
}

function Taking({ result }) {
  const [every, setEvery] = useState(result.every || PERIOD);
  const take = (params) => attempt(() => call('snapshots.take', { ...ofWorld(), ...params }));
  const isOn = result.every > 0;
  useEffect(() => {
    if (isOn) setEvery(result.every);
  }, [result.every]);
  return html`<div class="tools"><b>Snapshots</b>
    <button id="take" onClick=${() => take({})}>Take</button>
    <button id="keep" aria-pressed=${isOn} onClick=${() => take(isOn ? { every: 0 } : { every, keep: KEEP })}>${isOn ? '■ Stop' : '● Keep'}</button>
    <label>one every <input class="narrow" type="number" min="1" max="100000" aria-label="Updates between snapshots" value=${every} disabled=${isOn}
      onChange=${(event) => setEvery(Math.max(1, Number(event.target.value) || PERIOD))} /> updates</label>
    <span class="total">${bytes(result.bytes)} of ${bytes(result.limit)}, the last one took ${count(result.microseconds)} µs</span>
    ${result.trouble && html`<span class="warning">⚠ ${result.trouble}</span>`}<span class="space"></span>
    ${result.count > 0 && html`<button id="forget" onClick=${() => attempt(() => call('snapshots.drop', ofWorld()))}>Forget all</button>`}</div>`;
}

function NoSnapshots() {
  return html`<div class="note">The game has no world, so it must say how it is saved and restored. One line in the options of the inspector does:
    <pre>options.snapshots = ${'&'}(kin_inspector_snapshots){take, restore, release, game};</pre></div>`;
}

function Snapshots() {
  const [found, setFound] = useState(null);
  const { result, error } = useWatch('snapshots', 'snapshots.list', ofWorld(), 400);
  if (error && !result) return html`<${Note}>${error.message}<//>`;
  if (!result) return html`<${Note}>Asking for the snapshots.<//>`;
  if (!result.available) return html`<${NoSnapshots} />`;
  return html`<${Taking} result=${result} /><${Slider} result=${result} show=${setFound} />
    ${found && html`<${Difference} found=${found} close=${() => setFound(null)} />`}`;
}

export function Travel({ context }) {
  const { is } = route.use();
  const state = game.use();
  if (!is.time || !state.hello) return null;
  if (state.hello.read_only)
    return html`<section class="strip" aria-label="Time"><${Note}>This inspector is read-only: it takes no snapshots, and runs until nothing.<//></section>`;
  return html`<section class="strip" aria-label="Time"><${Snapshots} />${hasMethod('time.until') && html`<${Until} context=${context} state=${state} />`}</section>`;
}
