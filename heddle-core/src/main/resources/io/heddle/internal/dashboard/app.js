/** The page: receives events from the process and passes them to its parts. */
import {Charts} from './charts.js';
import {count, kindOf, make, makeSvg, nanos, setText} from './format.js';
import {Stage} from './stage.js';
import {Table} from './table.js';
import {Tables} from './tables.js';

const MAX_EVENTS = 6;
/** The shortest time in ms between two events of a kind, so that frequent events do not hide the others. */
const PAUSES = {steal: 1800, handoff: 500, net: 1500};
const KINDS_SHOWN = 14;
const REASONS_SHOWN = 6;

const $ = id => document.getElementById(id);
const stage = new Stage($('stage'), tell);
const charts = new Charts($('rates'));
const table = new Table($('goroutines'));
const tables = new Tables($('tables'));
/** The kinds of goroutines that were seen, also those of which none lives now: the most that there were of each. */
const seen = new Map();
let source, started, scheduler = 0, census = null, paused = false, lastEvents = {}, rates = {};
let newest = {}, waits = false, notBefore = 0;

function listen() {
  source?.close();
  source = new EventSource('api/stream' + (scheduler ? '?scheduler=' + scheduler : ''));
  source.addEventListener('hello', event => hello(JSON.parse(event.data)));
  source.addEventListener('census', event => newest.census = event.data);
  source.addEventListener('sample', event => {
    newest.sample = event.data;
    soon();
  });
  source.addEventListener('gone', () => another());
  source.addEventListener('error', () => lost(source));
}

/**
 * Shows the latest sample and skips older ones, because on a busy machine samples come faster than they can be drawn. At
 * least half of the time is left to other work.
 */
function soon() {
  if (waits) return;
  waits = true;
  setTimeout(() => {
    waits = false;
    const {sample, census: counted} = newest;
    newest = {};
    if (counted) census = JSON.parse(counted);
    if (!sample || paused) return;
    const begin = performance.now();
    show(JSON.parse(sample));
    const end = performance.now();
    notBefore = end + (end - begin);
  }, Math.max(0, notBefore - performance.now()));
}

function status(state, text) {
  $('status').dataset.state = state;
  setText($('status'), text);
}

function hello(process) {
  if (started && started !== process.started) {
    restart();
    scheduler = 0;
  }
  started = process.started;
  setText($('process'), `process ${process.process}, Java ${process.java}, ${process.cpus} CPUs`);
  $('trace').hidden = !process.canTrace;
  status('live', 'live');
}

/**
 * Handles a lost connection: the process has ended, or was restarted and does not know the scheduler. The browser retries by
 * itself unless the request was refused.
 */
function lost(from) {
  if (from !== source) return;
  status('lost', 'connection lost: retrying');
  if (source.readyState === EventSource.CLOSED) {
    source.close();
    scheduler = 0;
    setTimeout(() => from === source && listen(), 1000);
  }
}

function another() {
  scheduler = 0;
  restart();
  listen();
}

function restart() {
  census = null;
  seen.clear();
  newest = {};
  stage.reset();
  charts.reset();
  $('events').replaceChildren();
}

function show(sample) {
  showSchedulers(sample);
  tables.has(sample.tables);
  const isEmpty = sample.schedulers.length === 0;
  $('notice').hidden = !isEmpty && !sample.ended && !sample.throttled;
  if (isEmpty) setText($('notice'), 'There is no scheduler yet. The page shows it as soon as one is created.');
  else if (sample.ended) setText($('notice'), 'The program has ended. The process stays alive for this page, which shows the remaining goroutines. Press Ctrl-C to end it.');
  else if (sample.throttled) setText($('notice'), `The container has used up its CPU time: in the last 5 to 10 seconds its CPUs stood still for ${count(sample.throttled)} ms. Raise its CPU limit, or lower heddle.procs.`);
  if (sample.ended) status('ended', 'ended');
  if (!sample.scheduler) return;
  scheduler = sample.scheduler;
  table.of(scheduler);
  rates = charts.add(sample) ?? rates;
  showFigures(sample);
  see(sample);
  stage.show(sample, census);
  if (census) showCensus();
}

function showSchedulers({schedulers, scheduler: shown}) {
  const select = $('scheduler');
  const wanted = schedulers.map(each => each.id + each.name).join('\n');
  if (select.dataset.has !== wanted) {
    select.dataset.has = wanted;
    select.replaceChildren(...schedulers.map(each => make('option', {value: each.id}, each.name)));
  }
  if (document.activeElement !== select) select.value = String(shown);
}

function showFigures(s) {
  const states = census?.states ?? {};
  const busy = s.procs - s.idleProcs;
  const figures = [
    ['goroutines', count(s.goroutines), ''],
    ['runnable', count(states.runnable ?? 0), 'wait for a P'],
    ['waiting', count(states.waiting ?? 0), ''],
    ['busy Ps', String(busy), 'of ' + s.procs],
    ['Ms', String(s.threads), `${s.idleThreads} idle, ${s.spinning} spinning`],
    ['global queue', count(s.globalQueue), ''],
    ['switches', rates.switches == null ? '–' : count(rates.switches), 'per s'],
    ['scheduling latency', nanos(s.latency?.minute.p99), s.latency?.minute.p99 == null ? '' : '99th percentile'],
  ];
  const list = $('figures');
  if (!list.childElementCount) {
    list.append(...figures.map(([name]) => make('div', {}, make('dt', {}, name), make('dd', {}, make('span'), ' ', make('small')))));
  }
  figures.forEach(([, value, more], i) => {
    const dd = list.children[i].lastChild;
    setText(dd.firstChild, value);
    setText(dd.lastChild, more);
  });
}

/** Remembers the kinds of all goroutines that are drawn or counted. In the order of their names, so that colours are equal. */
function see(sample) {
  const counted = census?.labels ?? {};
  for (const label of [...new Set([...sample.labelNames, ...Object.keys(counted)])].sort()) {
    kindOf(label);
    seen.set(label, Math.max(seen.get(label) ?? 0, counted[label] ?? 0));
  }
}

function showCensus() {
  const now = label => census.labels[label] ?? 0;
  const labels = [...seen].sort(([a, mostOfA], [b, mostOfB]) => now(b) - now(a) || mostOfB - mostOfA || a.localeCompare(b));
  const kinds = $('kinds');
  const shown = labels.slice(0, KINDS_SHOWN);
  const names = shown.map(([label]) => label).sort().join('\n');
  if (kinds.dataset.has !== names) {
    kinds.dataset.has = names;
    kinds.replaceChildren(...shown.map(([label]) => {
      const button = make('button', {type: 'button', class: 'kind', title: 'Show these goroutines in the table', 'data-label': label},
        make('span', {class: 'swatch k' + kindOf(label)}), make('span', {}, label), make('b'));
      button.addEventListener('click', () => table.search({q: label}));
      return button;
    }));
  }
  for (const button of kinds.children) setText(button.lastChild, count(census.labels[button.dataset.label] ?? 0));
  showReasons();
  table.reasons(census.reasons);
}

function showReasons() {
  const reasons = Object.entries(census.reasons).sort((a, b) => b[1] - a[1]).slice(0, REASONS_SHOWN);
  const most = Math.max(1, ...reasons.map(([, n]) => n));
  const list = $('reasons');
  while (list.childElementCount > reasons.length) list.lastChild.remove();
  while (list.childElementCount < reasons.length) {
    const bar = make('button', {type: 'button', class: 'bar', title: 'Show these goroutines in the table'}, make('span'), make('b'),
      makeSvg('svg', {viewBox: '0 0 100 4', preserveAspectRatio: 'none', 'aria-hidden': 'true'}, makeSvg('rect', {height: 4, width: 0})));
    bar.addEventListener('click', () => table.search({reason: bar.firstChild.textContent}));
    list.append(bar);
  }
  reasons.forEach(([reason, n], i) => {
    const bar = list.children[i];
    setText(bar.firstChild, reason);
    setText(bar.children[1], count(n));
    bar.querySelector('rect').setAttribute('width', 100 * n / most);
  });
}

/** Adds a line to the latest events. Parts alternate between bold and plain. Limited to a readable rate. */
function tell(kind, parts) {
  const now = performance.now();
  if (now - (lastEvents[kind] ?? 0) < PAUSES[kind]) return;
  lastEvents[kind] = now;
  const line = make('li', {'data-kind': kind});
  parts.forEach((part, i) => line.append(i % 2 ? part : make('b', {}, part)));
  $('events').prepend(line);
  while ($('events').childElementCount > MAX_EVENTS) $('events').lastChild.remove();
}

const THEMES = {'': ['◐', 'system setting'], light: ['☀', 'light'], dark: ['☾', 'dark']};

function theme(name) {
  const [sign, words] = THEMES[name] ?? THEMES[''];
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
  $('theme').textContent = sign;
  $('theme').setAttribute('aria-label', 'Colours: ' + words);
  stage.dots.readColours();
}

$('theme').addEventListener('click', () => {
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(localStorage.getItem('theme') ?? '') + 1) % names.length];
  localStorage.setItem('theme', next);
  theme(next);
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => stage.dots.readColours());

$('pause').addEventListener('click', () => {
  paused = table.paused = tables.paused = !paused;
  $('pause').setAttribute('aria-pressed', String(paused));
  setText($('pause'), paused ? 'Resume' : 'Pause');
});

$('scheduler').addEventListener('change', () => {
  scheduler = Number($('scheduler').value);
  $('scheduler').blur();
  restart();
  listen();
});

$('trace').addEventListener('click', async () => {
  const button = $('trace'), words = button.textContent;
  button.disabled = true;
  button.textContent = 'Tracing…';
  try {
    const response = await fetch('api/trace?' + new URLSearchParams({scheduler, seconds: 5}), {method: 'POST'});
    if (!response.ok) throw new Error(await response.text());
    const link = make('a', {href: URL.createObjectURL(await response.blob()), download: 'heddle.trace'});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  } catch (e) {
    $('notice').hidden = false;
    setText($('notice'), String(e.message));
  } finally {
    button.disabled = false;
    button.textContent = words;
  }
});

document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    source?.close();
    status('paused', 'paused while the page is hidden');
  } else {
    listen();
  }
});

theme(localStorage.getItem('theme') ?? '');
listen();
