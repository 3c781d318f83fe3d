// Marks: copies of what a query matches, to be compared with another moment.
import { html, useState } from './vendor/htm-preact.js';
import { call, hasMethod } from './link.js';
import { Handle, Note, Sign, attempt, tell } from './parts.js';
import { makeStore } from './store.js';
import { route } from './route.js';
import { count } from './values.js';
import { differences } from './differences.js';

const marks = makeStore([]); // { mark, count, complete, frame, context, query }
const letterOf = (mark) => String.fromCharCode(65 + ((mark - 1) % 26));

// Marks what the query of the address matches: the key m.
export async function takeMark(context) {
  if (!hasMethod('marks.take')) {
    tell('This inspector has no marks.');
    return;
  }
  const query = route.get().is.q || '';
  await attempt(async () => {
    const taken = await call('marks.take', { context, query });
    marks.set([...marks.get(), { ...taken, context, query }]);
    tell(`Mark ${letterOf(taken.mark)}: ${count(taken.count)} entities${taken.complete ? '' : ', as many as fit'}. The journal compares it.`);
  });
}

function Row({ row }) {
  const values = row.was !== undefined && row.is !== undefined ? differences(row.was, row.is).join(', ') : '';
  return html`<tr><td><${Handle} entity=${row.e} /></td><td>${row.kind}</td><td>${row.component || ''}</td><td class="mono wrap">${values}</td></tr>`;
}

function Difference({ from, answer }) {
  return html`<p class="total">since <b>${letterOf(from.mark)}</b>: <b>+${count(answer.appeared)}</b> appeared, <b>−${count(answer.gone)}</b> gone,
      <b>${count(answer.changed)}</b> changes</p>
    <table class="plain-table" aria-label="Differences"><tbody>${answer.rows.map((row, place) => html`<${Row} key=${place} row=${row} />`)}</tbody></table>`;
}

export function Marks({ context }) {
  const all = marks.use().filter((one) => one.context === context);
  const [found, setFound] = useState(null);
  if (!hasMethod('marks.take')) return null;
  const compare = (from) => attempt(async () => setFound({ from, answer: await call('marks.diff', { context, from: from.mark, query: from.query }) }));
  const drop = (one) => attempt(async () => {
    marks.set(marks.get().filter((other) => other !== one));
    setFound(null);
    await call('marks.drop', { context, mark: one.mark });
  });
  return html`<section class="watches"><div class="tools"><b>Marks</b><span class="dim">compare two moments</span><span class="space"></span>
      <button id="mark" onClick=${() => takeMark(context)}><kbd>m</kbd> Mark</button></div>
    ${all.map((one) => html`<section class="watch" key=${one.mark}><h3>${letterOf(one.mark)} <span class="dim">${count(one.count)} entities${one.query && ' of '}</span>
      <span class="mono">${one.query}</span><button class="link" onClick=${() => compare(one)}>compare with now</button>
      <${Sign} what=${'Forget mark ' + letterOf(one.mark)} onClick=${() => drop(one)}>✕<//></h3></section>`)}
    ${found && html`<div class="watch"><${Difference} ...${found} />
      ${found.answer.rows.length === 0 && html`<${Note}>Nothing differs.<//>`}</div>`}</section>`;
}
