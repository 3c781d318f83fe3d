// Network: the place of a world in a network, its peers, and which fields cost.
import { html, useRef } from './vendor/htm-preact.js';
import { ofWorld, useWatch } from './link.js';
import { Note, Trouble } from './parts.js';
import { bytes, count } from './values.js';

// Returns the answer of two seconds ago, and the seconds since then.
function usePast(result) {
  const list = useRef([]).current;
  if (result && (list.length === 0 || list[list.length - 1][1] !== result)) list.push([Date.now(), result]);
  while (list.length > 2 && Date.now() - list[1][0] > 2000) list.shift();
  return list.length > 1 ? [list[0][1], (list[list.length - 1][0] - list[0][0]) / 1000] : [null, 0];
}

const words = (key) => key.replaceAll('_', ' ');

function shown(is, key, was, seconds) {
  if (key === 'zones' && is.sees_all) return 'all';
  if (typeof is[key] !== 'number' || key === 'peer') return is[key];
  if (!key.startsWith('bytes')) return count(is[key]);
  return bytes(is[key]) + (was && seconds > 0 && is[key] >= was[key] ? `, ${bytes(Math.round((is[key] - was[key]) / seconds))}/s` : '');
}

// Some peers have more keys than others.
const keysOf = (peers) => [...new Set(peers.flatMap(Object.keys))].filter((key) => key !== 'sees_all');

export function Network({ world }) {
  const { result, error } = useWatch('network', 'network.status', world.systems ? ofWorld() : null, 500);
  const [was, seconds] = usePast(result && result.network ? result : null);
  if (world.systems && !result) return html`<${Trouble} error=${error} />${!error && html`<${Note}>Asking for the network.<//>`}`;
  if (!result || !result.network) return html`<div class="empty"><h2>No network</h2><p>The world has no session. One line gives it one:</p><pre>arena_world_host(world, transport, NULL);</pre></div>`;
  const table = (name, heads, rows) => html`<table class="plain-table" id=${name}><thead><tr>${heads.map((head) => html`<th class="right">${words(head)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td class="right">${cell}</td>`)}</tr>`)}</tbody></table>`;
  return html`<section class="page"><div class="scroll">
    <dl class="facts" id="network-facts">${Object.keys(result).map((key) => ['number', 'string'].includes(typeof result[key]) && html`<dt>${words(key)}</dt><dd>${shown(result, key, was, seconds)}</dd>`)}
      ${Object.entries(result.refused).map(([reason, number]) => number > 0 && html`<dt>refused: ${reason}</dt><dd>${count(number)}</dd>`)}</dl>
    ${result.role === 'host' && table('network-peers', keysOf(result.peers), result.peers.map((peer) => keysOf(result.peers).map((key) => shown(peer, key, was && was.peers.find((one) => one.peer === peer.peer), seconds))))}
    ${table('network-costs', ['field', 'bytes', `of ${bytes(result.cost)} of the last update`], [...result.costs].sort((a, b) => b.bytes - a.bytes)
      .map((one) => [one.component ? one.component + (one.field ? '.' + one.field : '') : 'which entities', count(one.bytes), Math.round((100 * one.bytes) / result.cost) + ' %']))}</div></section>`;
}
