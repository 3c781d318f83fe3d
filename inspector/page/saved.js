// Saved queries: by name, in the address, so that a bookmark has them.
import { html, useLayoutEffect, useRef, useState } from './vendor/htm-preact.js';
import { go, route } from './route.js';

const MOST = 12;

// [[context, name, query], …]
function savedOf(is) {
  try {
    const list = JSON.parse(is.saved || '[]');
    return Array.isArray(list) ? list.filter((one) => Array.isArray(one) && one.every((part) => typeof part === 'string')) : [];
  } catch {
    return [];
  }
}

const write = (list) => go({ is: { saved: list.length ? JSON.stringify(list) : '' } }, true);

// Position & !Frozen → position
const nameOf = (query) => (/[A-Za-z_]\w*/.exec(query.replace(/^in\s+/, '')) || ['query'])[0].toLowerCase();

// The star of the query box. It asks for a name; Enter saves.
export function Star({ context, query }) {
  const { is } = route.use();
  const [name, setName] = useState(null);
  const input = useRef(null);
  useLayoutEffect(() => {
    if (input.current) { input.current.focus(); input.current.select(); }
  }, [name !== null]);
  const list = savedOf(is);
  const found = list.find(([of, , text]) => of === context && text === query);
  if (name !== null) {
    const save = (event) => {
      event.preventDefault();
      const others = list.filter(([of, other]) => of !== context || other !== name.trim());
      if (name.trim()) write([...others, [context, name.trim(), query]].slice(-MOST));
      setName(null);
    };
    return html`<form class="naming" onSubmit=${save}><input class="narrow-name" aria-label="Name of the query" value=${name} maxlength="24" ref=${input}
        onInput=${(event) => setName(event.target.value)} onKeyDown=${(event) => event.key === 'Escape' && (event.stopPropagation(), setName(null))} />
      <button id="save-query">Save</button></form>`;
  }
  const turn = () => (found ? write(list.filter((one) => one !== found)) : setName(nameOf(query)));
  return html`<button id="star" class="plain" aria-pressed=${Boolean(found)} disabled=${!query}
    aria-label=${found ? 'Forget the saved query ' + found[1] : 'Save the query'}
    title=${found ? 'Forget the saved query ' + found[1] : 'Save the query under a name'} onClick=${turn}>${found ? '★' : '☆'}</button>`;
}

export function Saved({ context, query }) {
  const { is } = route.use();
  const list = savedOf(is).filter(([of]) => of === context);
  if (list.length === 0) return null;
  return html`<div class="saved chips" role="group" aria-label="Saved queries"><span class="dim">Saved:</span>
    ${list.map(([, name, text]) => html`<button class="chip" key=${name} title=${text} aria-pressed=${text === query}
      onClick=${() => go({ is: { q: text } })}>${name}</button>`)}</div>`;
}
