// Messages that systems published, and calls that the library refused.
import { html } from './vendor/htm-preact.js';
import { ofWorld, useWatch } from './link.js';
import { Handle, Note, Trouble } from './parts.js';
import { count, isObject, short } from './values.js';

const isHandle = (value) => typeof value === 'string' && /^\d+:\d+$/.test(value);

function Fields({ value }) {
  if (!isObject(value)) return short(value);
  return Object.entries(value).map(([name, one], place) => html`${place > 0 && ', '}<span class="dim">${name}</span> ${
    isHandle(one) ? html`<${Handle} entity=${one} />` : short(one)}`);
}

const listOf = (result, key) => (Array.isArray(result) ? result : result[key] || []);
const names = (value) => (Array.isArray(value) ? value.join(', ') : value || '');

function Published() {
  const { result, error } = useWatch('messages', 'messages.read', { ...ofWorld(), limit: 200 }, 300);
  if (error) return html`<${Trouble} error=${error} />`;
  if (!result) return html`<${Note}>Asking for messages.<//>`;
  const list = [...listOf(result, 'messages')].reverse();
  if (list.length === 0) return html`<${Note}>No message was published since this view was opened.<//>`;
  return html`<table class="plain-table"><thead><tr><th class="right">frame</th><th>message</th><th>from → to</th><th>fields</th></tr></thead>
    <tbody>${list.map((one, place) => html`<tr key=${one.n ?? place}><td class="right">${count(one.frame)}</td><td>${one.message || one.name}</td>
      <td>${one.publisher || one.system || 'outside'} → ${names(one.readers)}</td><td class="wrap"><${Fields} value=${one.fields ?? one.value} /></td></tr>`)}</tbody></table>`;
}

function Refused() {
  const { result, error } = useWatch('errors', 'errors.read', { ...ofWorld(), limit: 100 }, 500);
  if (error) return html`<${Trouble} error=${error} />`;
  if (!result) return html`<${Note}>Asking for refusals.<//>`;
  const list = [...listOf(result, 'errors')].reverse();
  if (list.length === 0) return html`<${Note}>Nothing was refused.<//>`;
  return html`<table class="plain-table"><thead><tr><th class="right">frame</th><th>system</th><th>status</th><th>sentence</th><th class="right">×</th></tr></thead>
    <tbody>${list.map((one, place) => html`<tr key=${one.n ?? place}><td class="right">${count(one.frame)}</td><td>${one.system || 'outside'}</td>
      <td class="mono">${one.status}</td><td class="wrap">${one.sentence}</td><td class="right">${one.count ?? ''}</td></tr>`)}</tbody></table>`;
}

export function Messages() {
  return html`<section class="page"><div class="scroll"><div class="tools"><h2>Messages</h2></div><${Published} />
    <div class="tools"><h2>Refused</h2><span class="total">what the library refused to the game, with its sentence</span></div><${Refused} /></div></section>`;
}
