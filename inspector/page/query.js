// Query: the box for a query. It completes names, and shows an error under its place.
import { html, useEffect, useMemo, useRef, useState } from './vendor/htm-preact.js';
import { quoted } from './values.js';
import { Sign } from './parts.js';

const KEYWORDS = ['where', 'in', 'only', 'order by', 'is null', 'desc'];
const MOST = 10;

function fieldPaths(fields, depth) {
  return fields.flatMap((field) =>
    field.fields && !field.list && !field.count && depth < 3
      ? fieldPaths(field.fields, depth + 1).map((path) => `${field.name}.${path}`)
      : [field.name]);
}

function pathsOf(schema, component) {
  const found = schema.byName.get(component);
  return found && found.fields ? fieldPaths(found.fields, 0) : [];
}

// What may stand at the end of this text: { word, offers }, the offers in place of the word.
function offersFor(schema, text) {
  const word = /[\w.]*$/.exec(text)[0];
  const before = text.slice(0, text.length - word.length).trimEnd();
  const components = schema.components.map((one) => one.name);
  const dot = word.lastIndexOf('.');
  let names;
  if (/\bin$/.test(before)) names = schema.groups.map((group) => group.name);
  else if (dot >= 0) {
    const component = word.slice(0, word.indexOf('.'));
    names = pathsOf(schema, component).map((path) => `${component}.${path}`);
  } else if (/\b(where|by)\b/.test(before)) {
    const named = components.filter((name) => new RegExp(`\\b${name}\\b`).test(before));
    names = [...named.flatMap((name) => pathsOf(schema, name)), ...components, ...KEYWORDS];
  } else names = [...components, ...KEYWORDS];
  const lower = word.toLowerCase();
  const offers = [...new Set(names)].filter((name) => name.toLowerCase().startsWith(lower) && name !== word);
  return { word, offers: word === '' && !/\bin$/.test(before) ? [] : offers.slice(0, MOST) };
}

const NUMBERS = /^(u?int\d+|float|double)$/;

// A query that this context answers.
function exampleOf(schema) {
  const seen = schema.components.filter((one) => one.inspect !== 'hidden' && !one.unique);
  const flag = seen.find((one) => one.flag);
  const rest = seen.filter((one) => !one.flag);
  const isNumber = (field) => NUMBERS.test(field.type) && !field.count && !field.list && field.inspect !== 'hidden';
  const measured = rest.map((one) => [one, (one.fields || []).find(isNumber)]).filter(([, field]) => field).at(-1);
  if (rest.length === 0) return 'A & !B where A.x > 10';
  return quoted(rest[0].name) + (flag ? ' & !' + quoted(flag.name) : '') + (measured ? ` where ${quoted(measured[0].name)}.${measured[1].name} < 20` : '');
}

// The place of an error counts bytes; the caret counts letters.
function lettersBefore(text, bytes) {
  return new TextDecoder().decode(new TextEncoder().encode(text).slice(0, bytes)).length;
}

function Mistake({ text, error, replace }) {
  const { at, length, did_you_mean: meant } = error.data || {};
  const start = at === undefined ? 0 : lettersBefore(text, at);
  const end = at === undefined ? 0 : Math.max(start + 1, lettersBefore(text, at + length));
  return html`<div class="mistake" id="mistake" role="alert">
    ${at !== undefined && html`<div class="caret" aria-hidden="true">${' '.repeat(start) + '^'.repeat(end - start)}</div>`}
    <span>${error.message}</span>
    ${meant && meant.map((name) => html` <button class="link"
      onClick=${() => replace(text.slice(0, start) + quoted(name) + text.slice(end))}>${name}?</button>`)}</div>`;
}

export function QueryBox({ schema, value, error, onChange }) {
  const [text, setText] = useState(value);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const box = useRef(null);
  const timer = useRef(0);
  const sent = useRef(value);
  useEffect(() => {
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);

  const send = (next, isFinal) => {
    clearTimeout(timer.current);
    const act = () => {
      sent.current = next;
      onChange(next, isFinal);
    };
    if (isFinal) act();
    else timer.current = setTimeout(act, 250);
  };
  const example = useMemo(() => exampleOf(schema), [schema]);
  const caret = () => (box.current ? box.current.selectionStart : text.length);
  const { word, offers } = isOpen ? offersFor(schema, text.slice(0, caret())) : { word: '', offers: [] };
  const change = (next, isFinal) => {
    setText(next);
    setChosen(-1);
    send(next, isFinal);
  };
  const complete = (name) => {
    const end = caret();
    const start = end - word.length;
    change(text.slice(0, start) + name + (text[end] === ' ' ? '' : ' ') + text.slice(end));
    box.current.focus();
  };
  const keys = (event) => {
    const down = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (down && offers.length > 0) setChosen((chosen + down + offers.length) % offers.length);
    else if ((event.key === 'Tab' || event.key === 'Enter') && offers.length > 0 && (chosen >= 0 || event.key === 'Tab'))
      complete(offers[Math.max(chosen, 0)]);
    else if (event.key === 'Enter') {
      setOpen(false);
      send(text, true);
      return;
    } else if (event.key === 'Escape' && offers.length > 0) {
      setOpen(false);
      event.stopPropagation();
    } else return;
    event.preventDefault();
  };

  return html`<div class="query">
    <div class="query-line">
      <input id="query" ref=${box} class=${'mono' + (error ? ' wrong' : '')} type="text" role="combobox" spellcheck=${false}
        autocomplete="off" aria-label="Query" aria-expanded=${offers.length > 0} aria-controls="offers"
        aria-activedescendant=${chosen >= 0 ? 'offer-' + chosen : undefined} aria-invalid=${Boolean(error)}
        placeholder=${"all, or such as " + example} value=${text} maxlength="1024"
        onInput=${(event) => (setOpen(true), change(event.target.value))} onKeyDown=${keys}
        onBlur=${() => setTimeout(() => setOpen(false), 150)} />
      ${text && html`<${Sign} class="plain" what="Clear the query" onClick=${() => change('', true)}>✕<//>`}
      ${offers.length > 0 && html`<ul id="offers" role="listbox" aria-label="Names">
        ${offers.map((name, place) => html`<li role="option" id=${'offer-' + place} aria-selected=${place === chosen}
          onMouseDown=${(event) => (event.preventDefault(), complete(name))}>${name}</li>`)}</ul>`}
    </div>
    ${error && html`<${Mistake} text=${text} error=${error} replace=${(next) => change(next, true)} />`}
  </div>`;
}
