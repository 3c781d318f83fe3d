// Audits: what systems write in place in a whole column, and whether their schema says so.
import { html, useState } from './vendor/htm-preact.js';
import { call, game, hasMethod, useWatch } from './link.js';
import { Handle, Sign, attempt } from './parts.js';
import { differences } from './differences.js';
import { count, short } from './values.js';

const NOT_DECLARED = 'Its schema does not list the component in the writes of the system';

const useAudits = (id, context) => {
  const { result } = useWatch(id, 'audit.read', context && hasMethod('audit.read') ? { context } : null, 400);
  return result ? result.audits : [];
};

const Undeclared = () => html`<span class="warning" title=${NOT_DECLARED}>⚠ not in its writes</span>`;

// What each system wrote in place, by its name: for the list of systems.
export function useWritten(context) {
  const written = new Map();
  for (const audit of useAudits('audited', context))
    for (const one of audit.systems)
      written.set(one.system, [...(written.get(one.system) || []), { component: audit.component, declared: one.declared }]);
  return written;
}

export const Written = ({ written }) => (written || []).map(({ component, declared }) => html`<span class="uses wrote">
  <span class="dim">wrote</span> ${component} ${declared === false && html`<${Undeclared} />`}</span>`);

function System({ system }) {
  const last = system.writes[system.writes.length - 1];
  return html`<tr class=${system.declared === false ? 'written' : ''} data-audited=${system.system}><td>${system.system}</td>
    <td class="right">${count(system.count)}</td><td>${system.fields.join(', ')}</td><td class="right">${count(system.last)}</td>
    <td>${last && html`<${Handle} entity=${last.e} />`}</td>
    <td class="mono wrap">${last && (differences(last.was, last.is).join(', ') || short(last.is))}</td>
    <td>${system.declared === false ? html`<${Undeclared} />` : system.declared ? 'declared' : 'not of the schema'}</td></tr>`;
}

function Audit({ context, audit }) {
  const stop = () => attempt(() => call('audit.stop', { context, audit: audit.audit }));
  const isPart = audit.compared < audit.slots;
  return html`<section class="watch audit"><h3>${audit.component}
      <span class="dim">${audit.systems.length === 0 ? 'nothing was written in place yet' : ''}
        ${isPart && ` ${count(audit.compared)} of ${count(audit.slots)} slots in each update`}
        ${audit.lost > 0 && ` ${count(audit.lost)} comparisons without a result: too many changes were notified`}</span>
      <${Sign} what=${'Stop the audit of ' + audit.component} onClick=${stop}>✕<//></h3>
    ${audit.systems.length > 0 && html`<table class="plain-table"><thead><tr><th>system</th><th class="right">values</th><th>fields</th>
      <th class="right">last frame</th><th>entity</th><th>before → after</th><th>writes of its schema</th></tr></thead>
      <tbody>${audit.systems.map((system) => html`<${System} key=${system.system} system=${system} />`)}</tbody></table>`}</section>`;
}

export function Audits({ context, schema }) {
  const [name, setName] = useState('');
  const audits = useAudits('audits', context);
  const { hello } = game.use();
  const components = schema.components.filter((one) => one.inspect !== 'hidden' && !one.flag);
  if (!hasMethod('audit.start') || components.length === 0) return null;
  const chosen = name || components[0].name;
  const start = (event) => {
    event.preventDefault();
    attempt(() => call('audit.start', { context, component: chosen }));
  };
  return html`<section class="watches audits"><form class="tools" onSubmit=${start}><b>Audits</b>
      <span class="dim">find which systems write a component in place, of all entities</span><span class="space"></span>
      <select aria-label="Audited component" value=${chosen} onChange=${(event) => setName(event.target.value)}>
        ${components.map((one) => html`<option value=${one.name}>${one.name}</option>`)}</select>
      <button disabled=${hello.read_only} title=${hello.read_only ? 'The inspector is read-only' : undefined}>Audit</button></form>
    ${audits.map((audit) => html`<${Audit} key=${audit.audit} context=${context} audit=${audit} />`)}</section>`;
}
