/** The table of goroutines. The process searches, sorts and pages; this file displays. */
import {age, count, kindOf, make, setText} from './format.js';

const SIZE = 25;
const EVERY = 2000;

export class Table {
  constructor(root) {
    this.root = root;
    this.scheduler = 0;
    this.pages = [''];
    this.next = null;
    this.open = null;
    this.asked = 0;
    this.$ = id => root.querySelector('#' + id);
    for (const id of ['state', 'reason', 'sort']) this.$(id).addEventListener('change', () => this.restart());
    let typing;
    this.$('q').addEventListener('input', () => {
      clearTimeout(typing);
      typing = setTimeout(() => this.restart(), 200);
    });
    this.$('filter').addEventListener('submit', event => event.preventDefault());
    this.$('next').addEventListener('click', () => this.turn(() => this.pages.push(this.next)));
    this.$('previous').addEventListener('click', () => this.turn(() => this.pages.pop()));
    setInterval(() => this.isWatched && this.load(), EVERY);
  }

  /** Whether the table is visible, so that it must be refreshed. */
  get isWatched() {
    const box = this.root.getBoundingClientRect();
    return !this.paused && !document.hidden && box.top < innerHeight && box.bottom > 0;
  }

  of(scheduler) {
    if (this.scheduler !== scheduler) {
      this.scheduler = scheduler;
      this.restart();
    }
  }

  reasons(reasons) {
    const select = this.$('reason');
    const wanted = ['', ...Object.keys(reasons)];
    if (select.value && !wanted.includes(select.value)) wanted.push(select.value);
    const have = [...select.options].map(option => option.value);
    if (document.activeElement !== select && wanted.join('\n') !== have.join('\n')) {
      const value = select.value;
      select.replaceChildren(...wanted.map(reason => make('option', {value: reason}, reason || 'any')));
      select.value = value;
    }
  }

  /** Searches for an item that was clicked elsewhere on the page. */
  search({q = '', reason = ''}) {
    this.$('q').value = q;
    if (reason && ![...this.$('reason').options].some(option => option.value === reason)) {
      this.$('reason').append(make('option', {value: reason}, reason));
    }
    this.$('reason').value = reason;
    this.$('state').value = '';
    this.restart();
    this.root.scrollIntoView({behavior: 'smooth', block: 'start'});
  }

  restart() {
    this.pages = [''];
    this.open = null;
    this.load();
  }

  turn(how) {
    how();
    this.open = null;
    this.load();
  }

  async load() {
    if (!this.scheduler) return;
    const asked = ++this.asked;
    const query = new URLSearchParams({scheduler: this.scheduler, size: SIZE, after: this.pages.at(-1)});
    for (const id of ['q', 'state', 'reason', 'sort']) query.set(id, this.$(id).value.trim());
    let found;
    try {
      const response = await fetch('api/goroutines?' + query);
      if (!response.ok) throw new Error(await response.text());
      found = await response.json();
    } catch (e) {
      if (asked === this.asked) setText(this.$('matched'), String(e.message));
      return;
    }
    if (asked === this.asked) this.show(found);
  }

  show({rows, matched, total, next}) {
    this.next = next;
    const page = this.pages.length;
    setText(this.$('matched'), matched === total ? count(total) + ' goroutines' : count(matched) + ' of ' + count(total) + ' goroutines');
    setText(this.$('where'), matched > SIZE ? `page ${page} of ${Math.max(page, Math.ceil(matched / SIZE))}` : '');
    this.$('previous').disabled = page === 1;
    this.$('next').disabled = !next;
    const focused = document.activeElement?.dataset?.id;
    const body = this.$('rows');
    const detail = body.querySelector('.detail');
    body.replaceChildren(...rows.map(row => this.row(row)));
    if (this.open) {
      const row = body.querySelector(`[data-row="${this.open}"]`);
      if (row && detail) row.after(detail);
    }
    if (focused) body.querySelector(`button[data-id="${focused}"]`)?.focus({preventScroll: true});
  }

  row(g) {
    const button = make('button', {type: 'button', 'data-id': g.id, 'aria-expanded': String(this.open === g.id), 'aria-label': `Stack of goroutine ${g.id}`}, String(g.id));
    button.addEventListener('click', () => this.toggle(g.id));
    const state = make('td', {}, make('span', {class: 'word ' + g.state}, g.state));
    if (g.reason) state.append(' · ' + g.reason);
    const site = (g.site ?? '').replace(/^.*\//, '');
    const [, method, line] = site.match(/^(.*?)\((.*)\)$/) ?? [null, '', site];
    return make('tr', {class: 'row', 'data-row': g.id},
      make('td', {}, button),
      make('td', {title: g.name}, make('span', {class: 'swatch k' + kindOf(g.label)}), g.name || '–'),
      state,
      make('td', {}, g.state === 'running' ? 'now' : age(g.age)),
      make('td', {title: site}, line, make('span', {class: 'method'}, method && ' in ' + method)),
      make('td', {class: 'by'}, g.creator ? String(g.creator) : ''));
  }

  async toggle(id) {
    this.$('rows').querySelector('.detail')?.remove();
    this.$('rows').querySelectorAll('[aria-expanded=true]').forEach(each => each.setAttribute('aria-expanded', 'false'));
    this.open = this.open === id ? null : id;
    if (!this.open) return;
    const response = await fetch('api/goroutine?' + new URLSearchParams({scheduler: this.scheduler, id}));
    const row = this.$('rows').querySelector(`[data-row="${id}"]`);
    if (this.open !== id || !row) return;
    const cell = make('td', {colspan: 6});
    if (response.ok) {
      const g = await response.json();
      cell.append(`goroutine ${g.id} [${g.reason || g.state}], last ran ${age(g.age)} ago, CPU time ${g.cpu} ms${g.labels.map(label => ', ' + label).join('')}`,
        make('pre', {tabindex: 0, 'aria-label': 'Stack'}, [...g.stack.map(frame => 'at ' + frame), g.createdBy].join('\n')));
    } else {
      cell.append(await response.text());
    }
    this.$('rows').querySelector('.detail')?.remove();
    row.after(make('tr', {class: 'detail'}, cell));
    row.querySelector('button').setAttribute('aria-expanded', 'true');
  }
}
