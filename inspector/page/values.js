// Values: what the protocol gives, as short text. Texts stay texts: nothing here makes HTML.

const THIN = '\u2009';

// 80412 → 80 412
export function count(number) {
  const digits = String(Math.round(number));
  return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, THIN);
}

export function bytes(size) {
  if (size < 1024) return `${size} B`;
  const [unit, divisor] = size < 1048576 ? ['KiB', 1024] : ['MiB', 1048576];
  return `${(size / divisor).toFixed(size / divisor < 10 ? 1 : 0)} ${unit}`;
}

export const milliseconds = (nanoseconds) => (nanoseconds / 1e6).toFixed(3);

export const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

// A number with at most three decimals; very large and very small ones in full.
export function number(value) {
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e7 ? value.toFixed(size < 1 ? 3 : 2) : value.toPrecision(4);
}

// A value in one line.
export function short(value) {
  if (value === undefined) return '';
  if (value === null) return '–';
  if (value === true) return '✓';
  if (value === false) return '✗';
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return '[' + value.slice(0, 8).map(short).join(', ') + (value.length > 8 ? ', …]' : ']');
  if ('opaque' in value && Object.keys(value).length === 1) return `(${value.opaque})`;
  if ('text' in value && 'length' in value) return value.text + '…';
  if ('items' in value && 'count' in value) return short(value.items) + ` of ${value.count}`;
  return Object.values(value).map(short).join('  ');
}

export const same = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);

const WORDS = ['where', 'order', 'by', 'desc', 'is', 'null', 'true', 'false', 'in', 'only'];

// The name of a component in a query.
export const quoted = (name) => (WORDS.includes(name) ? '`' + name + '`' : name);

// all(Position, Velocity), none(Frozen) → Position & Velocity & !Frozen
export function queryOfMatcher(matcher) {
  const terms = [];
  for (const [, kind, names] of matcher.matchAll(/(\w+)\(([^)]*)\)/g)) {
    const list = names.split(',').map((name) => quoted(name.trim())).filter(Boolean);
    if (kind === 'all') terms.push(...list);
    if (kind === 'any') terms.push(list.length === 1 ? list[0] : '(' + list.join(' | ') + ')');
    if (kind === 'none') terms.push(...list.map((name) => '!' + name));
    if (kind === 'only') terms.push('only(' + list.join(', ') + ')');
  }
  return terms.join(' & ');
}
