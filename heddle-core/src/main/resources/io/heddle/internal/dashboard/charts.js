/** Small charts of the last minutes, in SVG. */
import {count, make, makeSvg, nanos, setText} from './format.js';

/** One point per second: at most five minutes. The time axis starts with half a minute. */
const POINTS = 300;
const FEWEST = 30;
const RATES = [
  ['switches', 'switches'], ['starts', 'goroutines started'], ['steals', 'steals'], ['handoffs', 'hand-offs'],
  ['preemptions', 'preemptions'], ['timers', 'timers fired'], ['netpolls', 'network polls'],
];
const PERCENTILES = ['p50', 'p90', 'p99'];

export class Charts {
  constructor(root) {
    this.root = root;
    this.charts = new Map();
    this.reset();
    this.latency = this.newLatency();
    for (const [key, title] of RATES) this.newRate(key, title);
  }

  reset() {
    this.history = [];
    this.before = null;
  }

  newRate(key, title) {
    const value = make('b', {}, '–');
    const area = makeSvg('path', {class: 'area'}), line = makeSvg('path', {class: 'line'});
    const svg = makeSvg('svg', {viewBox: '0 0 100 58', preserveAspectRatio: 'none', role: 'img', 'aria-label': title + ' per second'}, area, line);
    const {foot, most} = newFoot();
    const element = make('div', {class: 'chart'}, make('h3', {}, title, value), svg, foot);
    this.tellAt(svg, key, value);
    element.hidden = key === 'netpolls';
    this.root.append(element);
    this.charts.set(key, {value, area, line, element, most});
  }

  /** Shows the value at the pointer instead of the latest one. */
  tellAt(svg, key, value) {
    svg.addEventListener('pointermove', event => {
      const box = svg.getBoundingClientRect();
      const n = this.history.length, all = Math.max(n, FEWEST);
      const i = Math.round((event.clientX - box.x) / box.width * (all - 1)) - (all - n);
      if (i < 0 || i >= n) return;
      this.pointed = key;
      setText(value, count(this.history[i].rates[key]) + (i < n - 1 ? `, ${n - 1 - i} s ago` : ''));
    });
    svg.addEventListener('pointerleave', () => this.pointed = null);
  }

  newLatency() {
    const lines = PERCENTILES.map(p => makeSvg('path', {class: 'line ' + p}));
    const svg = makeSvg('svg', {viewBox: '0 0 100 58', preserveAspectRatio: 'none', role: 'img', 'aria-label': 'scheduling latency'}, ...lines);
    const values = [...PERCENTILES, 'max'].map(() => make('b', {}, '–'));
    const colours = ['k2', 'k4', 'k6'];
    const legend = make('div', {class: 'legend'}, ...values.map((value, i) =>
      make('span', {}, make('span', {class: 'swatch ' + (colours[i] ?? '')}), (PERCENTILES[i] ?? 'max') + ' ', value)));
    const {foot, most} = newFoot();
    const element = make('div', {class: 'chart wide'}, make('h3', {}, 'scheduling latency (runnable to running), last minute'), legend, svg, foot);
    this.root.append(element);
    return {lines, values, element, most};
  }

  /** Returns the rates of the last second, or null if it is not over yet. */
  add(sample) {
    const before = this.before;
    if (!before) {
      this.before = sample;
      return null;
    }
    const seconds = (sample.time - before.time) / 1000;
    if (seconds < .95) return null;
    const rates = {};
    for (const [key] of RATES) rates[key] = Math.max(0, (sample.counts[key] - before.counts[key]) / seconds);
    this.before = sample;
    this.history.push({rates, latency: sample.latency?.second ?? {}});
    if (this.history.length > POINTS) this.history.shift();
    this.draw(sample);
    return rates;
  }

  draw(sample) {
    const polls = sample.counts.netpolls > 0;
    this.charts.get('netpolls').element.hidden = !polls;
    this.latency.element.classList.toggle('wide', !polls);
    for (const [key, chart] of this.charts) {
      const values = this.history.map(point => point.rates[key]);
      if (this.pointed !== key) setText(chart.value, count(values.at(-1)));
      const most = Math.max(...values) || 1;
      setText(chart.most, 'max: ' + count(Math.max(...values)));
      const path = pathOf(values.map(v => v / most));
      chart.line.setAttribute('d', path);
      chart.area.setAttribute('d', path && path + ` V58 H${xOf(0, values.length).toFixed(2)} Z`);
    }
    const all = this.history.flatMap(point => PERCENTILES.map(p => point.latency[p])).filter(v => v > 0);
    const low = Math.log(Math.min(...all)), high = Math.log(Math.max(...all));
    setText(this.latency.most, all.length ? `from ${nanos(Math.min(...all))} to ${nanos(Math.max(...all))}` : 'no goroutine has become ready yet');
    PERCENTILES.forEach((p, i) => {
      const values = this.history.map(point => point.latency[p] > 0 ? (Math.log(point.latency[p]) - low) / (high - low || 1) : null);
      this.latency.lines[i].setAttribute('d', pathOf(values));
      setText(this.latency.values[i], nanos(sample.latency?.minute[p]));
    });
    setText(this.latency.values[3], nanos(sample.latency?.minute.max));
  }
}

/** The scale below a chart. */
function newFoot() {
  const most = make('span');
  return {most, foot: make('div', {class: 'foot'}, most, make('span', {}, 'now'))};
}

/** The latest point is at the right end. */
function xOf(i, n) {
  const all = Math.max(n, FEWEST);
  return 100 * (all - n + i) / (all - 1);
}

function pathOf(values) {
  let path = '';
  values.forEach((v, i) => {
    if (v != null) path += (path && values[i - 1] != null ? 'L' : 'M') + xOf(i, values.length).toFixed(2) + ' ' + (55 - 50 * v).toFixed(2);
  });
  return path;
}
