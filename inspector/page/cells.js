// Cells: values of components and fields in the table of entities. Numbers of one column stand below each other, and
// below the names of their fields.
import { html, useRef } from './vendor/htm-preact.js';
import { isObject, number, short } from './values.js';

const REALS = ['float', 'double'];
const INTEGERS = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'];
const ODD = ['NaN', 'Infinity', '-Infinity'];

const SHORT = ['bool', 'enum', 'entity', 'string'];
const MOST = 6; // values below names of their own

const isSingle = (field) => !field.count && !field.list;
const isNumeric = (field) => isSingle(field) && [...REALS, ...INTEGERS].includes(field.type);

// What the schema says of a component, or of a field of one.
function infoOf(schema, column) {
  const [name, ...path] = column.split('.');
  return path.reduce((info, part) => info && (info.fields || []).find((field) => field.name === part), schema.byName.get(name));
}

// The fields in which a component or a field has single values, each with the path to it.
function leavesOf(info, path = []) {
  if (!info.fields || !isSingle(info)) return [{ ...info, path }];
  return info.fields.filter((field) => field.inspect !== 'hidden').flatMap((field) => leavesOf(field, [...path, field.name]));
}

// What a column shows. One of a few short values, with a number among them, has a name above each.
export function columnOf(schema, path) {
  const info = infoOf(schema, path) || {};
  const leaves = leavesOf(info);
  const isSplit = leaves.length <= MOST && leaves.some(isNumeric) &&
    leaves.every((leaf) => isNumeric(leaf) || (isSingle(leaf) && SHORT.includes(leaf.type)));
  return { path, leaves, isSplit, doc: info.doc };
}

// A real number with two decimals, as those below it.
function textOf(leaf, value) {
  const isReal = REALS.includes(leaf.type) && typeof value === 'number' && Math.abs(value) < 1e6;
  return isReal ? value.toFixed(2) : typeof value === 'number' ? number(value) : short(value);
}

const valueAt = (value, path) => path.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);

const textsOf = (column, value) => column.leaves.map((leaf) => textOf(leaf, valueAt(value, leaf.path)));

const padded = (leaf, text) => (isNumeric(leaf) ? text.padStart(leastOf(leaf)) : text);

// The value as one text, where it is not split.
function lineOf(column, value) {
  if (value === undefined || column.leaves.length === 0) return short(value);
  return textsOf(column, value).map((text, i) => padded(column.leaves[i], text)).join('  ');
}

// ---- widths

const LETTER = 7.3; // pixels
const LONGEST = 20; // letters of a text beside other fields
const GAP = '  '; // between two numbers

const nameOf = (leaf) => leaf.path.at(-1) || '';
const leastOf = (leaf) => (isNumeric(leaf) ? (REALS.includes(leaf.type) ? 7 : 5) : 1);

// Adds to a split column the widths of its leaves, in letters; returns that of the column.
function measure(column, rows, widen) {
  const { path, leaves } = column;
  column.widths = leaves.map((leaf, i) => {
    const texts = rows.map((row) => (row.v[path] === undefined ? 0 : textOf(leaf, valueAt(row.v[path], leaf.path)).length));
    const most = leaf.type === 'string' ? LONGEST : Infinity;
    return widen(`${path} ${i}`, Math.max(leastOf(leaf), leaves.length > 1 ? nameOf(leaf).length : 0, Math.min(most, Math.max(0, ...texts))));
  });
  const numbers = column.widths.reduce((sum, one) => sum + one + GAP.length, -GAP.length);
  return leaves.length > 1 ? path.length + 2 + numbers : Math.max(path.length + 3, numbers);
}

// The widths so far, so that columns do not become narrower: of columns in pixels, of leaves in letters.
export function useWidths(columns, rows, hasLabel) {
  const kept = useRef(new Map());
  const widen = (key, width) => {
    kept.current.set(key, Math.max(width, kept.current.get(key) || 0));
    return kept.current.get(key);
  };
  const room = (letters, least) => Math.min(Math.max(Math.ceil(letters * LETTER) + 22, least), 320);
  const fit = (key, text, least) => widen(key, room((text || '').length, least));
  fit(' e', '', 80);
  for (const row of rows) {
    fit(' e', row.e, 80);
    if (hasLabel) fit(' label', row.label, 90);
  }
  for (const column of columns) {
    const { path } = column;
    if (column.isSplit) widen(path, room(measure(column, rows, widen), 78));
    else for (const text of [path + '   ', ...rows.map((row) => lineOf(column, row.v[path]))]) fit(path, text, 78);
  }
  return [' e', ...(hasLabel ? [' label'] : []), ...columns.map(({ path }) => path)].map((key) => kept.current.get(key));
}

// ---- what is drawn

// Texts as wide as their columns are, one for each leaf.
const spread = ({ leaves, widths }, texts) => texts.map((text, i) => html`${i > 0 && GAP}<span style=${{ minWidth: widths[i] + 'ch' }}
  class=${(isNumeric(leaves[i]) ? 'number' : 'word') + (ODD.includes(text) ? ' odd' : '')}>${text}</span>`);

export function ColumnHead({ column, remove }) {
  const { path, leaves, isSplit, doc } = column;
  const isMany = isSplit && leaves.length > 1;
  const title = [doc, isMany ? leaves.map((leaf) => leaf.path.join('.')).join(', ') : ''].filter(Boolean).join('\n');
  return html`<th title=${title || undefined}><div class=${'head' + (isSplit && !isMany ? ' one' : '')}><span>${path}
    <button class="plain small" aria-label=${'Remove the column ' + path} title="Remove the column" onClick=${() => remove(path)}>✕</button></span>
    ${isMany && html`<span class="fields">${spread(column, leaves.map(nameOf))}</span>`}</div></th>`;
}

// The value of a cell: numbers in columns of their own, all else as a text.
export function cell(column, value) {
  if (!column.isSplit || value === undefined) return lineOf(column, value);
  return spread(column, textsOf(column, value));
}
