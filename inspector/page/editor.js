// Editor: one value of a component by its type (INS-71). Enter writes, Esc does not; a refusal stands at the field, and
// a value that is being edited is never overwritten.
import { html, useRef, useState } from './vendor/htm-preact.js';
import { Handle, Live } from './parts.js';
import { isObject, short } from './values.js';

const INTEGERS = { int8: 1, int16: 1, int32: 1, uint8: 1, uint16: 1, uint32: 1 };
const DIGITS = { int64: 1, uint64: 1 };
const REALS = { float: 1, double: 1 };
const NAMED = { nan: 'NaN', infinity: 'Infinity', inf: 'Infinity', '-infinity': '-Infinity', '-inf': '-Infinity' };
const OUT_OF_RANGE = -33104;

// Reads what was typed. Throws a sentence.
function parse(field, text) {
  const plain = text.trim();
  if (INTEGERS[field.type] || DIGITS[field.type]) {
    if (!/^[+-]?\d+$/.test(plain)) throw new Error('An integer is expected.');
    return DIGITS[field.type] ? plain.replace(/^\+/, '') : Number(plain);
  }
  if (REALS[field.type]) {
    const named = NAMED[plain.toLowerCase()];
    if (named) return named;
    if (plain === '' || Number.isNaN(Number(plain))) throw new Error('A number is expected.');
    return Number(plain);
  }
  if (field.type === 'entity') {
    if (plain === '' || plain === 'none') return null;
    if (!/^\d+:\d+$/.test(plain)) throw new Error('A handle is expected, such as 70002:1, or nothing.');
    return plain;
  }
  return text;
}

const written = (value) => (value === null || value === undefined ? '' : isObject(value) && 'text' in value ? value.text : String(value));

const rangeOf = ({ minimum, maximum }) =>
  minimum === undefined && maximum === undefined ? '' : `${minimum ?? '…'} to ${maximum ?? '…'}`;

const hasSlider = ({ minimum, maximum }) => minimum !== undefined && maximum !== undefined;

// Writes a value, and keeps what was refused.
function useWrite(set) {
  const [trouble, setTrouble] = useState(null);
  const write = async (value, force) => {
    try {
      await set(value, force);
      setTrouble(null);
      return true;
    } catch (error) {
      const canForce = error.code === OUT_OF_RANGE;
      const message = canForce ? error.message.split(';')[0] : error.message;
      setTrouble({ message, value, canForce });
      return false;
    }
  };
  return { trouble, setTrouble, write };
}

function Refused({ trouble, write }) {
  if (!trouble) return null;
  return html`<span class="refused" role="alert">${trouble.message}
    ${trouble.canForce && html` <button class="link"
      onMouseDown=${(event) => event.preventDefault()} onClick=${() => write(trouble.value, true)}>set it all the same</button>`}</span>`;
}

function Line({ field, label, value, set }) {
  const [draft, setDraft] = useState(null);
  const { trouble, setTrouble, write } = useWrite(set);
  // What was sent is shown until the game has had time to show it itself.
  const settle = (sent) => setTimeout(() => setDraft((now) => (now === sent ? null : now)), 300);
  const stop = () => (setDraft(null), setTrouble(null));
  const keys = async (event) => {
    if (event.key === 'Escape') {
      stop();
      event.target.blur();
      event.stopPropagation();
    }
    if (event.key !== 'Enter') return;
    const { target } = event;
    try {
      const sent = target.value;
      if (await write(parse(field, sent))) settle(sent);
    } catch (error) {
      setTrouble({ message: error.message });
    }
  };
  const isText = field.type === 'string';
  return html`<span class="field">
    <input class=${'editor mono' + (draft !== null ? ' draft' : '') + (isText ? ' wide' : '')} type="text" aria-label=${label}
      aria-invalid=${Boolean(trouble)} value=${draft ?? written(value)} placeholder=${value === null ? 'null' : ''}
      inputmode=${isText || field.type === 'entity' ? 'text' : 'decimal'} spellcheck=${false}
      onFocus=${(event) => (setDraft(event.target.value), event.target.select())}
      onInput=${(event) => setDraft(event.target.value)} onKeyDown=${keys} onBlur=${stop} />
    ${field.type === 'entity' && value && html` <${Handle} entity=${value} />`}
    <${Refused} trouble=${trouble} write=${write} /></span>`;
}

function Slider({ field, label, value, set }) {
  const [draft, setDraft] = useState(null);
  const { trouble, write } = useWrite(set);
  const read = (text) => (DIGITS[field.type] ? text : Number(text));
  const step = REALS[field.type] ? (Number(field.maximum) - Number(field.minimum)) / 200 : 1;
  const change = async (event) => {
    const next = event.target.value;
    setDraft(next);
    await write(read(next));
    setDraft(null);
  };
  return html`<span class="slider"><span class="dim">${field.minimum}</span>
    <input type="range" aria-label=${label + ', slider'} min=${field.minimum} max=${field.maximum} step=${step}
      value=${draft ?? value} onInput=${(event) => setDraft(event.target.value)} onChange=${change} />
    <span class="dim">${field.maximum}</span></span>
    <${Refused} trouble=${trouble} write=${write} />`;
}

function Choice({ field, label, value, set }) {
  const { trouble, write } = useWrite(set);
  const isKnown = field.values.includes(value);
  return html`<select class="editor" aria-label=${label} value=${String(value)} onChange=${(event) => write(event.target.value)}>
    ${!isKnown && html`<option value=${String(value)}>${String(value)}</option>`}
    ${field.values.map((name) => html`<option value=${name}>${name}</option>`)}</select>
    <${Refused} trouble=${trouble} write=${write} />`;
}

function Box({ label, value, set }) {
  const { trouble, write } = useWrite(set);
  return html`<input class="editor" type="checkbox" aria-label=${label} checked=${value === true}
    onChange=${(event) => write(event.target.checked)} /> <${Refused} trouble=${trouble} write=${write} />`;
}

// A list is written as a whole, as JSON.
function List({ label, value, set }) {
  const whole = JSON.stringify(Array.isArray(value) ? value : (value && value.items) || []);
  const write = async (text) => {
    let list;
    try {
      list = JSON.parse(text);
    } catch {
      throw new Error('A list is expected, such as [1, 2].');
    }
    await set(list);
  };
  if (!Array.isArray(value)) return html`<${Live} value=${value} />`;
  return html`<${Line} field=${{ type: 'string' }} label=${label} value=${whole} set=${write} />`;
}

function One({ field, label, value, set }) {
  if (field.type === 'bool') return html`<${Box} label=${label} value=${value} set=${set} />`;
  if (field.type === 'enum') return html`<${Choice} field=${field} label=${label} value=${value} set=${set} />`;
  return html`${hasSlider(field) && html`<${Slider} field=${field} label=${label} value=${value} set=${set} />`}
    <${Line} field=${field} label=${label} value=${value} set=${set} />`;
}

function Shown({ field, value }) {
  if (field.type === 'entity' && typeof value === 'string') return html`<${Handle} entity=${value} />`;
  return html`<${Live} class="mono" value=${value} text=${value === null ? 'null' : typeof value === 'number' ? String(value) : short(value)} />`;
}

// A field with its name, its editor, its unit and its range, which the ends of a slider show; structs and arrays are unfolded.
export function Field({ field, path, value, set, canEdit, name }) {
  const isFixed = !canEdit || field.inspect === 'read_only' || field.type === 'opaque';
  const rest = { set, canEdit: canEdit && field.inspect !== 'read_only' };
  const title = field.doc || undefined;
  if (field.count && !field.list && Array.isArray(value))
    return html`<div class="nest"><span class="name" title=${title}>${name ?? field.name}</span><div class="nested">
      ${value.map((item, i) => html`<${Field} key=${i} field=${{ ...field, count: 0 }} path=${`${path}[${i}]`} name=${`[${i}]`}
        value=${item} ...${rest} />`)}</div></div>`;
  if (field.type === 'struct' && !field.list && isObject(value))
    return html`<div class="nest"><span class="name" title=${title}>${name ?? field.name}</span><div class="nested">
      ${field.fields.map((inner) => html`<${Field} key=${inner.name} field=${inner} path=${`${path}.${inner.name}`}
        value=${value[inner.name]} ...${rest} />`)}</div></div>`;
  const setHere = (next, force) => set(path, next, force);
  return html`<div class="leaf"><span class="name" title=${title}>${name ?? field.name}</span>
    <span class="value">${isFixed ? html`<${Shown} field=${field} value=${value} />`
      : field.list ? html`<${List} label=${path} value=${value} set=${setHere} />`
      : html`<${One} field=${field} label=${path} value=${value} set=${setHere} />`}</span>
    <span class="unit">${[field.unit, hasSlider(field) && !isFixed ? '' : rangeOf(field), field.inspect === 'read_only' ? 'read-only' : ''].filter(Boolean).join(', ')}</span></div>`;
}
