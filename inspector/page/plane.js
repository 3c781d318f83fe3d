// Plane: two fields of the entities of a query against each other, as points. A drag moves the plane, the wheel and the
// buttons zoom, and a click selects the entity at the pointer.
import { html, useEffect, useMemo, useRef, useState } from './vendor/htm-preact.js';
import { call, game } from './link.js';
import { Sign } from './parts.js';
import { theme } from './theme.js';
import { go } from './route.js';
import { count, quoted, short } from './values.js';

const PAGE = 1000; // rows of an answer
const MOST = 5000; // points
const PERIOD = 250;
const LEAST_HEIGHT = 380;
const BESIDE = 330; // pixels of the window above and below the plane
const EDGE = { left: 58, right: 14, top: 12, bottom: 26 };
const REACH = 10; // pixels from the pointer to a point
const NUMBERS = /^(u?int(8|16|32|64)|float|double)$/;

// ---- fields

function numbersIn(fields, path) {
  return (fields || []).flatMap((field) => {
    if (field.count || field.list || field.inspect === 'hidden') return [];
    const own = `${path}.${field.name}`;
    return NUMBERS.test(field.type) ? [own] : numbersIn(field.fields, own);
  });
}

export const numericPaths = (schema) => schema.components.filter((one) => one.inspect !== 'hidden')
  .flatMap((one) => numbersIn(one.fields, quoted(one.name)));

const isPair = (paths, path) => path.endsWith('.x') && paths.includes(path.replace(/x$/, 'y'));

// The y of the component whose x it is, else what was chosen before.
const yOf = (paths, x, before) => (isPair(paths, x) ? x.replace(/x$/, 'y') : before);

// The first pair of fields that are called x and y, else the first two.
function likelyPair(paths) {
  const x = paths.find((path) => isPair(paths, path)) || paths[0];
  return [x, yOf(paths, x, paths[1] || x)];
}

// ---- points

const numberOf = (value) => (value === undefined || value === null ? NaN : Number(value));

async function readPoints(context, { x, y, q }) {
  const found = { points: [], total: 0 };
  for (let next = '0'; next !== null && found.points.length < MOST;) {
    const answer = await call('entities.query', { context, query: q, fields: [x, y], limit: PAGE, ...(next !== '0' && { after: next }) });
    found.total = answer.total;
    for (const row of answer.rows) {
      const point = { e: row.e, label: row.label, x: numberOf(row.v[x]), y: numberOf(row.v[y]) };
      if (Number.isFinite(point.x) && Number.isFinite(point.y)) found.points.push(point);
    }
    next = answer.next;
  }
  return found;
}

function usePoints(context, plane) {
  const [state, setState] = useState({ points: [], total: 0, error: '' });
  useEffect(() => {
    let isOver = false, timer = 0, isFirst = true;
    const read = async () => {
      if (!document.hidden && (isFirst || game.get().kind === 'live')) {
        try {
          const found = await readPoints(context, plane);
          if (!isOver) setState({ ...found, error: '' });
          isFirst = false;
        } catch (error) {
          if (!isOver) setState((before) => ({ ...before, error: error.message }));
        }
      }
      if (!isOver) timer = setTimeout(read, PERIOD);
    };
    read();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [context, plane.x, plane.y, plane.q]);
  return state;
}

// ---- the part of the plane that is in sight: its middle, and pixels for 1

function boundsOf(points) {
  const bounds = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };
  for (const { x, y } of points) {
    bounds.left = Math.min(bounds.left, x);
    bounds.right = Math.max(bounds.right, x);
    bounds.low = Math.min(bounds.low, y);
    bounds.high = Math.max(bounds.high, y);
  }
  return bounds;
}

function fit(points, { width, height }, isEqual) {
  const { left, right, low, high } = points.length > 0 ? boundsOf(points) : { left: 0, right: 1, low: 0, high: 1 };
  const across = width - EDGE.left - EDGE.right, along = height - EDGE.top - EDGE.bottom;
  const scale = (size, pixels) => (0.9 * pixels) / (size || 1);
  const scales = { sx: scale(right - left, across), sy: scale(high - low, along) };
  if (isEqual) scales.sx = scales.sy = Math.min(scales.sx, scales.sy);
  return { x: (left + right) / 2, y: (low + high) / 2, ...scales };
}

// Whether the points are in sight, and not in a corner of it.
function suits(view, points, { width, height }) {
  if (!view || points.length === 0) return false;
  const { left, right, low, high } = boundsOf(points);
  const wide = (width - EDGE.left - EDGE.right) / view.sx, tall = (height - EDGE.top - EDGE.bottom) / view.sy;
  const isInside = left >= view.x - wide / 2 && right <= view.x + wide / 2 && low >= view.y - tall / 2 && high <= view.y + tall / 2;
  return isInside && Math.max((right - left) / wide, (high - low) / tall) > 0.5;
}

const middleOf = ({ width, height }) => ({ x: (EDGE.left + width - EDGE.right) / 2, y: (EDGE.top + height - EDGE.bottom) / 2 });

const placeOf = (view, size, isDown, { x, y }) => {
  const middle = middleOf(size);
  return { x: middle.x + (x - view.x) * view.sx, y: middle.y + (isDown ? 1 : -1) * (y - view.y) * view.sy };
};

const valueAt = (view, size, isDown, { x, y }) => {
  const middle = middleOf(size);
  return { x: view.x + (x - middle.x) / view.sx, y: view.y + ((isDown ? 1 : -1) * (y - middle.y)) / view.sy };
};

// ---- drawing

// Round numbers, some 90 pixels apart.
function ticksOf(from, to, pixels) {
  const rough = (to - from) / Math.max(1, pixels / 90);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough);
  const ticks = [];
  for (let n = Math.ceil(from / step); n * step <= to && ticks.length < 50; n++) ticks.push(Number((n * step).toPrecision(12)));
  return ticks;
}

function drawGrid(pen, view, size, isDown, colour) {
  const { width, height } = size;
  const low = valueAt(view, size, isDown, { x: EDGE.left, y: isDown ? EDGE.top : height - EDGE.bottom });
  const high = valueAt(view, size, isDown, { x: width - EDGE.right, y: isDown ? height - EDGE.bottom : EDGE.top });
  pen.strokeStyle = colour('--line');
  pen.fillStyle = colour('--dim');
  pen.font = '11px system-ui, sans-serif';
  pen.textAlign = 'center';
  for (const tick of ticksOf(low.x, high.x, width)) {
    const { x } = placeOf(view, size, isDown, { x: tick, y: 0 });
    pen.strokeRect(Math.round(x) + 0.5, EDGE.top, 0, height - EDGE.top - EDGE.bottom);
    pen.fillText(short(tick), x, height - 8);
  }
  pen.textAlign = 'right';
  for (const tick of ticksOf(low.y, high.y, height)) {
    const { y } = placeOf(view, size, isDown, { x: 0, y: tick });
    pen.strokeRect(EDGE.left, Math.round(y) + 0.5, width - EDGE.left - EDGE.right, 0);
    pen.fillText(short(tick), EDGE.left - 7, y + 4);
  }
}

function ring(pen, place, radius, stroke) {
  pen.beginPath();
  pen.arc(place.x, place.y, radius, 0, 2 * Math.PI);
  pen.strokeStyle = stroke;
  pen.lineWidth = 2;
  pen.stroke();
  pen.lineWidth = 1;
}

function draw(canvas, { points, view, size, isDown, chosen, pointed }) {
  const { width, height } = size;
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name);
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext('2d');
  pen.scale(ratio, ratio);
  drawGrid(pen, view, size, isDown, colour);
  pen.save();
  pen.beginPath();
  pen.rect(EDGE.left, EDGE.top, width - EDGE.left - EDGE.right, height - EDGE.top - EDGE.bottom);
  pen.clip();
  const radius = points.length > 1500 ? 1.5 : points.length > 300 ? 2.2 : 3.5;
  pen.fillStyle = colour('--accent');
  pen.globalAlpha = 0.75;
  for (const point of points) {
    const place = placeOf(view, size, isDown, point);
    pen.beginPath();
    pen.arc(place.x, place.y, radius, 0, 2 * Math.PI);
    pen.fill();
  }
  pen.globalAlpha = 1;
  for (const point of points) {
    if (point.e === chosen) ring(pen, placeOf(view, size, isDown, point), 7, colour('--warn'));
    if (point.e === pointed) ring(pen, placeOf(view, size, isDown, point), 5, colour('--text'));
  }
  pen.restore();
}

// ---- the pointer

function nearest(points, view, size, isDown, at) {
  let best = null, distance = REACH;
  for (const point of points) {
    const place = placeOf(view, size, isDown, point);
    const away = Math.hypot(place.x - at.x, place.y - at.y);
    if (away <= distance) [best, distance] = [point, away];
  }
  return best;
}

const zoomed = (view, factor, fixed) => ({
  x: fixed.x + (view.x - fixed.x) / factor, y: fixed.y + (view.y - fixed.y) / factor, sx: view.sx * factor, sy: view.sy * factor,
});

function atPointer(event) {
  const { left, top } = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

const shownAs = (point, plane) => `${point.label ? point.label + '  ' : ''}${point.e}   ${plane.x.split('.').pop()} ${short(point.x)}   ${
  plane.y.split('.').pop()} ${short(point.y)}`;

function useSize(box) {
  const [size, setSize] = useState({ width: 600, height: LEAST_HEIGHT });
  useEffect(() => {
    const read = () => setSize({ width: Math.max(200, box.current.clientWidth), height: Math.max(LEAST_HEIGHT, window.innerHeight - BESIDE) });
    const watcher = new ResizeObserver(read);
    watcher.observe(box.current);
    addEventListener('resize', read);
    read();
    return () => {
      watcher.disconnect();
      removeEventListener('resize', read);
    };
  }, []);
  return size;
}

const isOfOne = (plane) => plane.x.replace(/[^.]*$/, '') === plane.y.replace(/[^.]*$/, '');

export function Plane({ context, plane, chosen, remove }) {
  const { points, total, error } = usePoints(context, plane);
  const [own, setOwn] = useState(null); // what the reader has moved to
  const [isEqual, setEqual] = useState(isOfOne(plane));
  const [isDown, setDown] = useState(false);
  const [pointed, setPointed] = useState('');
  const box = useRef(null), canvas = useRef(null), fitted = useRef(null), drag = useRef(null);
  const size = useSize(box);
  const mode = theme.use();
  const isFitted = fitted.current && fitted.current.isEqual === isEqual && fitted.current.size === size;
  if (!isFitted || !suits(fitted.current.view, points, size)) fitted.current = { view: fit(points, size, isEqual), isEqual, size };
  const view = own || fitted.current.view;
  useEffect(() => draw(canvas.current, { points, view, size, isDown, chosen, pointed }), [points, view, size, isDown, chosen, pointed, mode]);
  const zoom = (factor, at) => setOwn(zoomed(view, factor, at || { x: view.x, y: view.y }));
  const wheel = (event) => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, valueAt(view, size, isDown, atPointer(event)));
  };
  const down = (event) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { ...atPointer(event), view, isMoved: false };
  };
  const move = (event) => {
    const at = atPointer(event), from = drag.current;
    if (!from) {
      const point = nearest(points, view, size, isDown, at);
      setPointed(point ? point.e : '');
      return;
    }
    from.isMoved = from.isMoved || Math.hypot(at.x - from.x, at.y - from.y) > 4;
    if (from.isMoved) setOwn({ ...from.view, x: from.view.x - (at.x - from.x) / from.view.sx,
      y: from.view.y - ((isDown ? 1 : -1) * (at.y - from.y)) / from.view.sy });
  };
  const up = (event) => {
    const point = drag.current && !drag.current.isMoved && nearest(points, view, size, isDown, atPointer(event));
    drag.current = null;
    if (point) go({ is: { e: point.e } });
  };
  const cancel = () => {
    drag.current = null;
    setPointed('');
  };
  const told = points.find((point) => point.e === (pointed || chosen));
  const title = `${plane.y} over ${plane.x}${plane.q ? ' of ' + plane.q : ''}`;
  return html`<section class="watch"><h3><span class="mono">${title}</span>
      <span class="dim">${count(points.length)} of ${count(total)} entities</span>
      ${error && html`<span class="warning">${error}</span>`}<span class="space"></span>
      <label class="dim"><input type="checkbox" checked=${isEqual} onChange=${(event) => setEqual(event.target.checked)} /> one scale</label>
      <label class="dim"><input type="checkbox" checked=${isDown} onChange=${(event) => setDown(event.target.checked)} /> y down</label>
      <${Sign} what="Zoom in" onClick=${() => zoom(1.5)}>+<//><${Sign} what="Zoom out" onClick=${() => zoom(1 / 1.5)}>−<//>
      <${Sign} what="Show all points" onClick=${() => setOwn(null)}>⤢<//>
      <${Sign} what=${'Remove the plane ' + title} onClick=${remove}>✕<//></h3>
    <div class="plot plane" ref=${box}><canvas ref=${canvas} style=${{ width: size.width + 'px', height: size.height + 'px' }} role="img" aria-label=${'Plane of ' + title}
      class=${pointed ? 'at-point' : ''} onWheel=${wheel} onPointerDown=${down} onPointerMove=${move} onPointerUp=${up} onPointerLeave=${cancel}
      onPointerCancel=${cancel} onDblClick=${() => setOwn(null)}></canvas>
      <p class="mono pointed" role="status">${told ? shownAs(told, plane) : 'Point at an entity to see it, click to select it; drag and wheel move and zoom.'}</p></div></section>`;
}

// Names the two fields and the query of a new plane.
export function PlaneForm({ schema, add }) {
  const paths = useMemo(() => numericPaths(schema), [schema]);
  const [first, second] = likelyPair(paths);
  const [x, setX] = useState(first);
  const [y, setY] = useState(second);
  if (paths.length === 0) return null;
  const submit = (event) => {
    event.preventDefault();
    add({ x, y, q: event.target.querySelector('input').value.trim() });
  };
  const chooseX = (path) => {
    setX(path);
    setY(yOf(paths, path, y));
  };
  const choice = (label, value, set) => html`<label>${label} <select class="mono" aria-label=${label + ' of the plane'} value=${value}
    onChange=${(event) => set(event.target.value)}>${paths.map((path) => html`<option value=${path}>${path}</option>`)}</select></label>`;
  return html`<form class="tools" id="add-plane" onSubmit=${submit}>${choice('x', x, chooseX)}${choice('y', y, setY)}
    <input class="mono wide" aria-label="Query of the plane" placeholder=${'of a query, else all with ' + x.split('.')[0]} /><button>+ Plane</button></form>`;
}
