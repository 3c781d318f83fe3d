// Chart: one line over time, drawn by uPlot. All charts share a cursor.
import { html, useEffect, useRef } from './vendor/htm-preact.js';
import { count, short } from './values.js';
import { theme } from './theme.js';

const HEIGHT = 150;

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);

const axis = (more) => ({ stroke: () => colour('--dim'), grid: { stroke: () => colour('--line'), width: 1 }, ticks: { show: false }, font: '11px system-ui', ...more });

const inSeconds = (u, splits) => splits.map((second) => `${second} s`);

// The newest sample is at 0.
const dataOf = (seconds, values) => [seconds.map((second) => second - seconds.at(-1)), values];

function optionsOf(title, width, frameAt) {
  return {
    width, height: HEIGHT, scales: { x: { time: false } },
    cursor: { sync: { key: 'kin' }, drag: { x: false, y: false } },
    series: [
      { label: 'frame', value: (u, second, series, place) => (place === null ? '' : count(frameAt(place) ?? 0)) },
      { label: title, stroke: () => colour('--accent'), width: 1.5, spanGaps: false, points: { show: false }, value: (u, value) => short(value) },
    ],
    axes: [axis({ values: inSeconds, size: 26, incrs: [1, 2, 5, 10, 20, 30, 60] }), axis({ size: 60 })],
  };
}

export function Chart({ title, seconds, frames, values }) {
  const box = useRef(null);
  const drawn = useRef(null);
  const shown = useRef(frames);
  const mode = theme.use();
  shown.current = frames;
  useEffect(() => {
    const element = box.current;
    const chart = new window.uPlot(optionsOf(title, element.clientWidth || 600, (place) => shown.current[place]), dataOf(seconds, values), element);
    const watcher = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    watcher.observe(element);
    drawn.current = chart;
    return () => {
      watcher.disconnect();
      chart.destroy();
    };
  }, [title, mode]);
  useEffect(() => {
    if (drawn.current) drawn.current.setData(dataOf(seconds, values));
  }, [seconds, values]);
  return html`<div class="plot" ref=${box} role="img" aria-label=${'Plot of ' + title}></div>`;
}
