/** Formats with three significant digits: 950, 12.3 k, 4.56 M. */
export function count(n) {
  if (n < 1000) return n < 10 && n % 1 ? n.toFixed(1) : String(Math.round(n));
  const [value, unit] = n < 1e6 ? [n / 1e3, 'k'] : n < 1e9 ? [n / 1e6, 'M'] : [n / 1e9, 'G'];
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0) + ' ' + unit;
}

/** Formats nanoseconds. */
export function nanos(n) {
  if (n == null) return '–';
  const [value, unit] = n < 1e3 ? [n, 'ns'] : n < 1e6 ? [n / 1e3, 'µs'] : n < 1e9 ? [n / 1e6, 'ms'] : [n / 1e9, 's'];
  return (value < 10 && unit !== 'ns' ? value.toFixed(1) : Math.round(value)) + ' ' + unit;
}

/** Formats milliseconds as an age. */
export function age(ms) {
  const s = ms / 1000;
  if (s < 1) return Math.round(ms) + ' ms';
  if (s < 60) return (s < 10 ? s.toFixed(1) : Math.round(s)) + ' s';
  if (s < 3600) return Math.floor(s / 60) + ' min';
  if (s < 86400) return Math.floor(s / 3600) + ' h ' + Math.floor(s % 3600 / 60) + ' min';
  return Math.floor(s / 86400) + ' d';
}

/** Creates an element with attributes and children. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

export function makeSvg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Writes the text only if it has changed, because each write costs the browser a layout. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const KINDS = 12;
const kinds = new Map();

/**
 * Returns the number of a label's colour. It follows from the label, so that a program has the same colours after each reload.
 * Of two labels with the same number the later one takes the next free number, as long as there is one.
 */
export function kindOf(label) {
  if (!kinds.has(label)) {
    const taken = new Set(kinds.values());
    let kind = hash(label) % KINDS;
    if (taken.size < KINDS) while (taken.has(kind)) kind = (kind + 1) % KINDS;
    kinds.set(label, kind);
  }
  return kinds.get(label);
}

/** FNV-1a, 32 bits. */
function hash(text) {
  let h = 0x811c9dc5;
  for (const c of text) h = Math.imul(h ^ c.codePointAt(0), 0x01000193);
  return (h ^ h >>> 15) >>> 0;
}
