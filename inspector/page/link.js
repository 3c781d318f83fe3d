// Link: requests to the game, and what it pushes.
//
//   call()   one request                                POST /rpc
//   watch()  a result, again and again                  POST /stream, one for the page; asked for where that is refused
//   beat     kin.hello and time.get twice a second      so that a silent game is noticed, and a pause stays
import { useEffect, useState } from './vendor/htm-preact.js';
import { makeStore } from './store.js';
import { takeToken } from './route.js';
import { applied } from './differences.js';

const BEAT = 500;
const PATIENCE = 1500; // milliseconds without an answer
const token = takeToken();

// kind: starting, live, paused, held, stuck, ended, gone or token
export const OPEN = ['live', 'paused', 'held', 'stuck']; // kinds of a game that answers

// silence: seconds in which an open game has not answered
export const game = makeStore({ kind: token ? 'starting' : 'token', hello: null, time: null, rate: 0, methods: null, silence: 0 });

export class Refusal extends Error {
  constructor(error) {
    super(error.message);
    this.code = error.code;
    this.data = error.data || {};
  }
}

// Names the tab as a viewer: the viewer that paused a game may step it.
function viewerName() {
  const name = sessionStorage.getItem('kin-viewer') || 'page-' + Math.random().toString(36).slice(2, 6);
  sessionStorage.setItem('kin-viewer', name);
  return name;
}

export const viewer = viewerName();
const headers = { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json', 'Kin-Viewer': viewer };
let lastId = 0;

const request = (method, params) => ({ jsonrpc: '2.0', id: ++lastId, method, params: params || {} });

async function post(path, body, signal) {
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body), signal, cache: 'no-store' });
  if (response.status === 401) {
    game.update({ kind: 'token', wasLive: game.get().hello !== null });
    throw new Refusal({ code: 401, message: 'The token is missing or wrong.' });
  }
  return response;
}

async function ask(body) {
  const response = await post('/rpc', body);
  if (!response.ok) throw new Refusal({ code: response.status, message: (await response.text()).trim() });
  return response.json();
}

export async function call(method, params) {
  const answer = await ask(request(method, params));
  if (answer.error) throw new Refusal(answer.error);
  return answer.result;
}

// Gives the text of a file that is not the page's, such as /trace.
export async function download(path) {
  const response = await fetch(path, { headers, cache: 'no-store' });
  if (!response.ok) throw new Refusal({ code: response.status, message: (await response.text()).trim() });
  return response.text();
}

// Asks for several results at once, each { result } or { error }.
export async function callAll(list) {
  if (list.length === 0) return [];
  const answers = await ask(list.map(([method, params]) => request(method, params)));
  if (!Array.isArray(answers)) throw new Refusal(answers.error);
  return answers;
}

const STUCK = -33101;
const ENDED = -33105;

// The world does not update, or has ended: the bar says so, and views keep what they have.
const isOfWorld = (error) => error && [STUCK, ENDED].includes(error.code);

export const hasMethod = (name) => game.get().methods === null || game.get().methods.has(name);
const missing = (name) => ({ code: -32601, message: `This game's inspector does not have ${name}.`, data: {} });

// ---- watching

const REST = 150; // milliseconds between two streams at least
const watched = new Map(); // id → { method, params, period, take, last }
let stream = null;
let opening = 0;
let opened = -REST;

function reopen() {
  clearTimeout(opening);
  opening = setTimeout(openStream, Math.max(20, opened + REST - performance.now()));
}

// A difference without a whole result before it is that of another question with this id.
function dispatch(id, event) {
  const watch = watched.get(id);
  if (!watch || (!event.error && !event.whole && !watch.last)) return;
  if (event.error) watch.last = null;
  else watch.last = event.whole ? event.result : applied(watch.last, event.result);
  watch.take(event.error ? { error: event.error } : { result: watch.last });
}

async function readEvents(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    for (let end; (end = rest.indexOf('\n\n')) >= 0; rest = rest.slice(end + 2)) {
      const lines = rest.slice(0, end).split('\n');
      const name = lines.find((line) => line.startsWith('event: '));
      const data = lines.find((line) => line.startsWith('data: '));
      if (name && data) dispatch(name.slice(7), JSON.parse(data.slice(6)));
    }
  }
}

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// Without a stream, for two seconds.
async function poll(signal) {
  for (let i = 0; i < 6 && !signal.aborted; i++) {
    const list = [...watched.entries()];
    const answers = await callAll(list.map(([, watch]) => [watch.method, watch.params]));
    if (!signal.aborted) answers.forEach((answer, place) => dispatch(list[place][0], { ...answer, whole: true }));
    await wait(350);
  }
}

async function runStream(signal) {
  const body = [...watched.entries()].map(([id, { method, params, period }]) => ({
    jsonrpc: '2.0', id, method: method + '+watch', params: { ...params, period },
  }));
  const response = await post('/stream', body, signal);
  if (response.ok && (response.headers.get('content-type') || '').startsWith('text/event-stream'))
    await readEvents(response);
  else await poll(signal);
}

async function openStream() {
  if (stream) stream.abort();
  stream = null;
  if (watched.size === 0 || document.hidden || !OPEN.includes(game.get().kind)) return;
  const own = (stream = new AbortController());
  opened = performance.now();
  try {
    await runStream(own.signal);
  } catch (error) {
    if (error.name === 'AbortError') return;
  }
  if (own === stream && !own.signal.aborted) setTimeout(() => own === stream && reopen(), 500);
}

// The newest result of a method: { result, error }. What another question had answered stays until the first answer.
// Nothing is asked without parameters.
export function useWatch(id, method, params, period = 200) {
  const [state, setState] = useState({});
  const key = params ? JSON.stringify([method, params, period]) : '';
  const known = game.use().methods !== null;
  useEffect(() => {
    if (!key || !known) return undefined;
    if (!hasMethod(method)) {
      setState({ error: missing(method), key });
      return undefined;
    }
    const own = { method, params, period, take: (event) => isOfWorld(event.error) || setState({ ...event, key }) };
    watched.set(id, own);
    reopen();
    return () => {
      if (watched.get(id) === own) watched.delete(id);
      reopen();
    };
  }, [id, key, known]);
  return { ...state, isCurrent: state.key === key };
}

// ---- the beat

let frames = []; // [time, frame] of the last two seconds

function rateOf(frame, updatesSeen) {
  const now = performance.now();
  frames = frames.filter(([time, old]) => now - time < 2500 && old <= frame);
  frames.push([now, frame]);
  const [time, old] = frames[0];
  return updatesSeen && now - time > 200 ? ((frame - old) * 1000) / (now - time) : 0;
}

function kindOf(hello, time) {
  if (hello.worlds.length === 0) return 'empty';
  if (time.error && time.error.code === ENDED) return 'ended';
  if (time.error && time.error.code === STUCK) return 'stuck';
  if (time.result && time.result.held) return 'held';
  return time.result && time.result.paused ? 'paused' : 'live';
}

// Since when the world has not updated.
const sinceOf = (kind, before) => (kind !== 'stuck' ? 0 : before.kind === 'stuck' ? before.since : Date.now());

let world = '';

// Names the world whose time the bar shows.
export function setWorld(name) {
  if (name === world) return;
  world = name;
  frames = [];
}

export const ofWorld = () => (world ? { world } : {});

let askedAt = 0; // when the beat that has no answer yet was sent; 0: none

async function askBeat() {
  askedAt = askedAt || performance.now();
  try {
    const [hello, time] = await callAll([['kin.hello'], ['time.get', ofWorld()]]);
    if (!hello || hello.error) throw new Error('no hello');
    return [hello, time];
  } finally {
    askedAt = 0;
  }
}

// A stopped game neither answers nor refuses.
function noteSilence() {
  const passed = askedAt ? performance.now() - askedAt : 0;
  const silence = passed > PATIENCE && OPEN.includes(game.get().kind) ? Math.round(passed / 1000) : 0;
  if (silence !== game.get().silence) game.update({ silence });
}

async function beat() {
  const before = game.get();
  const [hello, time] = await askBeat();
  const kind = kindOf(hello.result, time);
  const fresh = time.result || before.time;
  game.update({
    kind, hello: hello.result, time: fresh, trouble: time.error ? time.error.message : '', since: sinceOf(kind, before), silence: 0,
    rate: time.result ? rateOf(time.result.frame, true) : 0,
  });
  if (before.methods === null) {
    const { methods } = await call('rpc.discover');
    game.update({ methods: new Set(methods.map((method) => method.name)) });
  }
  const wasOpen = OPEN.includes(before.kind);
  if (!wasOpen || stream === null) reopen();
}

async function beatAgain() {
  let pause = 1000;
  for (;;) {
    if (document.hidden) {
      await wait(300);
      continue;
    }
    try {
      await beat();
      pause = 1000;
      await wait(BEAT);
    } catch (error) {
      if (game.get().kind === 'token') return;
      const isBusy = error.code === 429;
      const since = game.get().kind === 'gone' ? game.get().since : Date.now();
      if (!isBusy) game.update({ kind: 'gone', since });
      await wait(pause);
      pause = Math.min(pause * 1.6, 10000);
    }
  }
}

// Asks at once, as after a change of the time.
export const beatNow = () => beat().catch(() => {});

// A page that is hidden, or kept by the browser for its back button, is no viewer.
function close() {
  if (stream) stream.abort();
  stream = null;
}

export function beginLink() {
  addEventListener('pagehide', close);
  addEventListener('pageshow', () => reopen());
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : reopen()));
  if (!token) return;
  setInterval(noteSilence, 250);
  beatAgain();
}
