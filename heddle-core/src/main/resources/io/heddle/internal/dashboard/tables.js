/** The tables that other libraries of the process show, for example remote channels. */
import {count, make} from './format.js';

const EVERY = 2000;
const MAX_ROWS = 200;

export class Tables {
  constructor(root) {
    this.root = root;
    this.isShown = false;
    this.before = new Map();
    setInterval(() => this.load(), EVERY);
  }

  /** Learns from a sample how many tables there are. */
  has(n) {
    const isNew = n > 0 && !this.isShown;
    this.isShown = n > 0;
    this.root.hidden = !this.isShown;
    if (isNew) this.load();
  }

  async load() {
    if (!this.isShown || this.paused || document.hidden) return;
    try {
      const response = await fetch('api/tables');
      if (response.ok) this.show(await response.json());
    } catch (e) {
      // The page says elsewhere that the connection is lost.
    }
  }

  show({time, tables}) {
    const seconds = (time - this.time) / 1000;
    const counters = new Map();
    const groups = new Map();
    for (const table of tables) {
      const group = groups.get(table.title) ?? {...table, rows: []};
      group.rows.push(...table.rows);
      groups.set(table.title, group);
    }
    const sections = [...groups.values()].map(table => this.table(table, counters, seconds));
    this.root.replaceChildren(...sections);
    this.before = counters;
    this.time = time;
  }

  table({title, labels, columns, rows}, counters, seconds) {
    const head = make('tr', {}, ...labels.map(label => make('th', {}, label)),
      ...columns.map(column => make('th', {title: column.help, class: 'figure'}, column.title + (column.counter ? ' /s' : ''))));
    const body = rows.slice(0, MAX_ROWS).map(row => make('tr', {},
      ...row.labels.map(label => make('td', {}, label)),
      ...row.figures.map((figure, i) => this.cell(title, columns[i], row, figure, counters, seconds))));
    const section = make('section', {class: 'card'}, make('h2', {}, title),
      make('div', {class: 'scroll'}, make('table', {}, make('thead', {}, head), make('tbody', {}, ...body))));
    if (rows.length > MAX_ROWS) section.append(make('p', {}, `The first ${MAX_ROWS} of ${rows.length}.`));
    return section;
  }

  cell(title, column, row, figure, counters, seconds) {
    if (figure == null) return make('td', {class: 'figure'}, '–');
    if (!column.counter) return make('td', {class: 'figure'}, count(figure));
    const key = [title, column.title, ...row.labels].join('\n');
    counters.set(key, figure);
    const last = this.before.get(key);
    const rate = last == null || !(seconds > 0) ? '–' : count(Math.max(0, figure - last) / seconds);
    return make('td', {class: 'figure', title: count(figure) + ' in all'}, rate);
  }
}
