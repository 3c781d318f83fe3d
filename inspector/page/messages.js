// Messages that systems published, and calls that the library refused.
import { html } from './vendor/htm-preact.js';
import { ofWorld, useWatch } from './link.js';
import { Handle, Note, Trouble } from './parts.js';
import { go, route } from './route.js';
import { count, short } from './values.js';

const isHandle = (value) => typeof value === 'string' && /^\d+:\d+$/.test(value);

// Older records that are not there any more.
const Lost = ({ lost }) => lost > 0 && html`<span class="total">${count(lost)} older ones are not kept</span>`;

// ---- messages

function Fields({ message, handles }) {
  const shown = Object.entries(message.fields).map(([name, one], place) => html`${place > 0 && ', '}<span class="dim">${name}</span> ${
    name in handles && isHandle(one) ? html`<${Handle} entity=${one} context=${handles[name]} />` : short(one)}`);
  return html`${shown}${message.cut && html` <span class="dim">…</span>`}`;
}

function Message({ message, type }) {
  return html`<tr><td class="right">${count(message.frame)}</td><td title=${type.doc || undefined}>${message.message}</td>
    <td class="wrap"><span title=${message.role || undefined}>${message.publisher}</span> → ${message.readers.join(', ') || html`<span class="dim">no system</span>`}</td>
    <td class="wrap"><${Fields} message=${message} handles=${type.handles} /></td></tr>`;
}

function Filter({ types, chosen }) {
  const choose = (event) => go({ is: { mt: event.target.value } }, true);
  return html`<select aria-label="Message" value=${chosen} onChange=${choose}><option value="">any message</option>
    ${types.map(({ name, doc }) => html`<option value=${name} title=${doc || undefined}>${name}</option>`)}</select>`;
}

function List({ result }) {
  const types = new Map(result.types.map((type) => [type.name, type]));
  if (result.messages.length === 0) return html`<${Note}>No message was published since this view was opened.<//>`;
  return html`<table class="plain-table published"><thead><tr><th class="right">frame</th><th>message</th><th>from → to</th><th>fields</th></tr></thead>
    <tbody>${[...result.messages].reverse().map((one) => html`<${Message} key=${one.n} message=${one} type=${types.get(one.message)} />`)}</tbody></table>`;
}

function Published() {
  const { is } = route.use();
  const wanted = is.mt ? { message: is.mt } : {};
  const { result, error } = useWatch('messages', 'messages.read', { ...ofWorld(), limit: 200, ...wanted }, 300);
  let body = html`<${Note}>Asking for messages.<//>`;
  if (error) body = html`<${Trouble} error=${error} />`;
  else if (result && result.types.length === 0) body = html`<${Note}>No messages in the schema.<//>`;
  else if (result) body = html`<${List} result=${result} />`;
  return html`<section aria-label="Messages"><div class="tools"><h2>Messages</h2>
    ${result && result.types.length > 0 && html`<${Filter} types=${result.types} chosen=${is.mt || ''} />`}<span class="space"></span>
    ${result && html`<${Lost} lost=${result.lost} />`}</div>${body}</section>`;
}

// ---- refused calls

function Refusal({ one }) {
  return html`<tr><td class="right">${count(one.frame)}</td><td title=${one.role || undefined}>${one.system}</td>
    <td class="mono">${one.status.replace('KIN_ERROR_', '')}</td>
    <td class="wrap">${one.sentence}${one.e && html` <${Handle} entity=${one.e} context=${one.context} />`}</td>
    <td class="right">${one.count > 1 ? '×' + count(one.count) : ''}</td></tr>`;
}

// How many calls were refused, also before this view was opened.
function Counts({ counts }) {
  const sum = Object.values(counts).reduce((total, one) => total + one, 0);
  const list = Object.entries(counts).map(([status, one]) => `${status}: ${count(one)}`).join('\n');
  return html`<span class="total" title=${list || undefined}><b>${count(sum)}</b> since the inspector began</span>`;
}

function Refused() {
  const { result, error } = useWatch('errors', 'errors.read', { ...ofWorld(), limit: 100 }, 500);
  let body = html`<${Note}>Asking for refusals.<//>`;
  if (error) body = html`<${Trouble} error=${error} />`;
  else if (result && result.errors.length === 0) body = html`<${Note}>Nothing was refused since this view was opened.<//>`;
  else if (result) body = html`<table class="plain-table refusals"><thead><tr><th class="right">frame</th><th>system</th><th>status</th>
      <th>sentence</th><th class="right">times</th></tr></thead>
    <tbody>${[...result.errors].reverse().map((one) => html`<${Refusal} key=${one.n - one.count} one=${one} />`)}</tbody></table>`;
  return html`<section aria-label="Refused"><div class="tools"><h2>Refused</h2><span class="total">by the library, to the game</span>
    <span class="space"></span>${result && html`<${Counts} counts=${result.counts} />`}${result && html`<${Lost} lost=${result.lost} />`}</div>${body}</section>`;
}

export function Messages() {
  return html`<div class="page"><div class="scroll halves"><${Published} /><${Refused} /></div></div>`;
}
