// Route: where one is, in the hash of the address: #/CONTEXT/VIEW?q=…&e=…
//
// The token comes in the hash, too: it moves into the storage of the session, and out of the address, before anything
// else happens.
import { makeStore } from './store.js';

const TOKEN = /(?:^#|[#&?])token=([A-Za-z0-9_-]+)/;

export function takeToken() {
  const found = TOKEN.exec(location.hash);
  if (!found) return sessionStorage.getItem('kin-token') || '';
  sessionStorage.setItem('kin-token', found[1]);
  history.replaceState(null, '', location.pathname + '#/');
  return found[1];
}

function parse() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const [context, view] = path.split('/').map(decodeURIComponent);
  return { context: context || '', view: view || 'entities', is: Object.fromEntries(new URLSearchParams(query || '')) };
}

export const route = makeStore({ context: '', view: 'entities', is: {} });

function write({ context, view, is }) {
  const query = new URLSearchParams(Object.entries(is).filter(([, value]) => value !== '' && value != null));
  const text = query.toString();
  return '#/' + encodeURIComponent(context) + '/' + view + (text ? '?' + text : '');
}

// Goes to a place. Values that are undefined stay what they are; a replaced place is not in the history.
export function go(change, isReplaced) {
  const now = route.get();
  const next = { context: now.context, view: now.view, is: { ...now.is }, ...change };
  if (change.is) next.is = { ...now.is, ...change.is };
  const hash = write(next);
  if (hash !== location.hash) history[isReplaced ? 'replaceState' : 'pushState'](null, '', hash);
  route.set(parse());
}

export function beginRoute() {
  addEventListener('popstate', () => route.set(parse()));
  addEventListener('hashchange', () => {
    if (TOKEN.test(location.hash)) location.reload();
    else route.set(parse());
  });
  route.set(parse());
}
