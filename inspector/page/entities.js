// Entities: a list of those that match a query, and the one that is selected.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from './vendor/htm-preact.js';
import { call, callAll, game } from './link.js';
import { Live, Note, attempt, tell } from './parts.js';
import { QueryBox } from './query.js';
import { Saved, Star } from './saved.js';
import { ColumnHead, cell, columnOf, useWidths } from './cells.js';
import { EntityPanel } from './entity.js';
import { Overview } from './overview.js';
import { ROW, useRows } from './rows.js';
import { useColumns } from './schema.js';
import { note } from './undo.js';
import { go, route } from './route.js';
import { count, isObject, quoted } from './values.js';

function pathsOf(schema) {
  return schema.components.filter((one) => one.inspect !== 'hidden').flatMap((one) => [
    one.name, ...(one.fields || []).filter((field) => one.fields.length > 1).map((field) => `${one.name}.${field.name}`),
  ]);
}

function AddColumn({ schema, columns, setColumns }) {
  const paths = pathsOf(schema).filter((path) => !columns.includes(path));
  if (paths.length === 0 || columns.length >= 12) return null;
  return html`<select class="add-column" aria-label="Add a column" value=""
    onChange=${(event) => setColumns([...columns, event.target.value])}>
    <option value="">+ column</option>${paths.map((path) => html`<option value=${path}>${path}</option>`)}</select>`;
}

// How many entities have each component that the query names.
function NothingMatches({ context, schema, query }) {
  const [words, setWords] = useState('');
  useEffect(() => {
    const named = schema.components.map((one) => one.name).filter((name) => new RegExp(`\\b${name}\\b`).test(query)).slice(0, 6);
    const ask = ['', ...named.map(quoted)].map((text) => ['entities.query', { context, query: text, limit: 0 }]);
    callAll(ask).then((answers) => {
      const [all, ...each] = answers.map((answer) => (answer.result ? answer.result.total : 0));
      if (all === 0) setWords(`${context} has no entities yet.`);
      else setWords(`0 of ${count(all)} match` + (named.length ? `; ${named.map((name, i) => `${count(each[i])} have ${name}`).join(', ')}.` : '.'));
    }).catch(() => {});
  }, [query]);
  return html`<${Note}>${words || 'Nothing matches.'}<//>`;
}

const titleOf = (value) => (value === undefined ? undefined : typeof value === 'object' ? JSON.stringify(value) : String(value));

function Row({ row, columns, place, isSelected, hasLabel }) {
  const open = () => go({ is: { e: row.e } });
  return html`<tr role="row" aria-rowindex=${place + 2} aria-selected=${isSelected} onClick=${open} data-entity=${row.e}>
    <td role="gridcell" class="handle">${row.e}</td>
    ${hasLabel && html`<td role="gridcell" class=${'label' + (row.label === undefined ? ' dim' : '')}>${row.label ?? row.name ?? ''}</td>`}
    ${columns.map((column) => html`<${Live} key=${row.e + column.path} tag="td" role="gridcell" class=${column.isSplit ? 'right' : ''}
      value=${row.v[column.path]} text=${cell(column, row.v[column.path])} title=${titleOf(row.v[column.path])} />`)}
    <td></td></tr>`;
}

function Table({ found, columns: paths, setColumns, schema, selected, hasLabel }) {
  const { first, rows, count: all } = found;
  const columns = useMemo(() => paths.map((path) => columnOf(schema, path)), [schema, paths.join()]);
  const below = Math.max(0, all - first - rows.length);
  const widths = useWidths(columns, rows, hasLabel);
  const width = widths.reduce((sum, one) => sum + one, 124) + 'px';
  const remove = (path) => setColumns(paths.filter((other) => other !== path));
  return html`<table class="rows" role="grid" style=${{ minWidth: width }} aria-label="Entities" aria-rowcount=${found.total + 1}>
    <colgroup>${widths.map((one) => html`<col style=${{ width: one + 'px' }} />`)}<col /></colgroup>
    <thead><tr role="row"><th class="handle">entity</th>${hasLabel && html`<th class="label">name</th>`}
      ${columns.map((column) => html`<${ColumnHead} key=${column.path} column=${column} remove=${remove} />`)}
      <th class="last"><${AddColumn} schema=${schema} columns=${paths} setColumns=${setColumns} /></th></tr></thead>
    <tbody>
      ${first > 0 && html`<tr key="above" class="spacer" aria-hidden="true" style=${{ height: first * ROW + 'px' }}></tr>`}
      ${rows.map((row, i) => html`<${Row} key=${row.e} row=${row} place=${first + i} columns=${columns}
        isSelected=${row.e === selected} hasLabel=${hasLabel} />`)}
      ${below > 0 && html`<tr key="below" class="spacer" aria-hidden="true" style=${{ height: below * ROW + 'px' }}></tr>`}
    </tbody></table>`;
}

function useScroll(box) {
  const [place, setPlace] = useState({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const element = box.current;
    const read = () => setPlace({ top: element.scrollTop, height: Math.min(element.clientHeight, 2200) });
    const watcher = new ResizeObserver(read);
    watcher.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    read();
    return () => {
      watcher.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, []);
  return place;
}

// The keys j and k: the row before or after the selected one, kept in sight.
function useMoves(found, selected, box) {
  useEffect(() => {
    const move = (event) => {
      const place = found.rows.findIndex((row) => row.e === selected);
      const next = found.rows[place < 0 ? 0 : place + event.detail];
      if (!next) return;
      go({ is: { e: next.e } }, true);
      const top = (found.first + Math.max(0, place + event.detail)) * ROW;
      const element = box.current;
      if (top < element.scrollTop) element.scrollTop = top;
      if (top + 2 * ROW > element.scrollTop + element.clientHeight) element.scrollTop = top + 2 * ROW - element.clientHeight;
    };
    addEventListener('kin-move', move);
    return () => removeEventListener('kin-move', move);
  });
}

function Create({ context, schema }) {
  const make = (blueprint) => attempt(async () => {
    const made = await call('entities.create', { context, ...(blueprint ? { blueprint } : {}) });
    note('create ' + made.entity, ['entities.destroy', { context, entity: made.entity }]);
    tell(`Created ${made.entity}.`);
    go({ is: { e: made.entity } });
  });
  if (schema.blueprints.length === 0) return html`<button id="create" onClick=${() => make('')}>+ New</button>`;
  return html`<select id="create" aria-label="Create an entity" value="" onChange=${(event) => make(event.target.value === '*' ? '' : event.target.value)}>
    <option value="">+ New …</option><option value="*">empty</option>
    ${schema.blueprints.map((one) => html`<option value=${one.name}>${one.name}</option>`)}</select>`;
}

function Found({ found }) {
  const most = found.count < found.total ? `, the first ${count(found.count)} shown` : '';
  return html`<span class=${'total' + (found.error ? ' before' : '')} role="status"><b id="total">${count(found.total)}</b> ${found.total === 1 ? 'entity' : 'entities'}${
    found.error ? ' before the mistake' : most}</span>`;
}

// Without the component that the label shows already.
function withoutLabel(columns, rows) {
  const row = rows.find((one) => one.label !== undefined && one.label !== null);
  if (!row) return columns;
  return columns.filter((column) => {
    const fields = isObject(row.v[column]) ? Object.values(row.v[column]) : [];
    return fields.length !== 1 || fields[0] !== row.label;
  });
}

export function Entities({ context, schema }) {
  const { is } = route.use();
  const { hello } = game.use();
  const query = is.q || '';
  const usual = useColumns(context, schema, query);
  const columns = is.cols === undefined ? usual || [] : is.cols.split(',').filter((path) => path && path !== '-');
  const box = useRef(null);
  const { top, height } = useScroll(box);
  const found = useRows({ context, isReady: is.cols !== undefined || usual !== null, query, fields: columns, top, height });
  useMoves(found, is.e, box);
  useEffect(() => {
    if (box.current) box.current.scrollTop = 0;
  }, [query]);
  const shown = is.cols === undefined ? withoutLabel(columns, found.rows) : columns;
  const setColumns = (list) => go({ is: { cols: list.join(',') || '-' } }, true);
  const hasLabel = found.rows.some((row) => row.label !== undefined || row.name !== undefined);
  const isNone = !found.isFirst && found.total === 0 && !found.error;
  return html`<div class=${'split' + (is.e ? ' has-entity' : '')}>
    <section class="list" aria-label="Entities that match">
      <div class="tools"><${QueryBox} schema=${schema} value=${query} error=${found.error}
        onChange=${(q, isFinal) => go({ is: { q } }, !isFinal)} />
        <${Star} context=${context} query=${query} key=${query} /><${Found} found=${found} />${!hello.read_only && html`<${Create} context=${context} schema=${schema} />`}<${Saved} context=${context} query=${query} /></div>
      <div class=${'scroll' + (found.error ? ' before' : '')} ref=${box} tabindex="-1">
        <${Table} found=${found} columns=${shown} setColumns=${setColumns} schema=${schema} selected=${is.e} hasLabel=${hasLabel} />
        ${isNone && html`<${NothingMatches} key=${query} context=${context} schema=${schema} query=${query} />`}
      </div>
    </section>
    ${is.e ? html`<${EntityPanel} key=${is.e} context=${context} schema=${schema} entity=${is.e} />`
      : html`<${Overview} context=${context} schema=${schema} total=${found.total} />`}
  </div>`;
}
