/**
 * The picture. A P is a dial: in the middle the running goroutine, around it those that wait for the P. An M is a spool. Waiting
 * goroutines are in trays.
 */
import {Dots, FLIGHT} from './dots.js';
import {count, kindOf, make, makeSvg, setText} from './format.js';

const RING_CAPACITY = 256;
const RING_SHOWN = 28;
const CELL = 14;
const MOST_PS = 64;
const MOST_PEGS = 24;
/** In ms; must be the same as in the style sheet. */
const PULSE = 1200;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** Positions on a dial of 120 × 120. */
const SEAT = {x: 60, y: 60, r: 13};
const NEXT = {x: 60, y: 24.5, r: 5.5};
const RADIUS = 51;

export class Stage {
  constructor(root, onEvent) {
    this.root = root;
    this.onEvent = onEvent;
    this.ps = root.querySelector('#ps');
    this.cards = new Map();
    this.chips = new Map();
    this.slots = {global: new Map(), sleep: new Map(), net: new Map(), sync: new Map()};
    this.before = null;
    this.names = new Map();
    this.dots = new Dots(root.querySelector('#dots'));
    new ResizeObserver(() => this.last && this.placeDots(...this.last)).observe(root);
  }

  reset() {
    this.before = null;
    this.cards.forEach(card => card.element.remove());
    this.cards.clear();
    [...this.chips.keys()].forEach(n => this.drop(n));
  }

  show(sample, census) {
    const labels = sample.labelNames;
    this.showPs(sample, labels);
    const were = this.placesOfChips();
    this.showMs(sample, labels);
    this.showTrays(sample, census);
    this.placeDots(sample, census);
    this.glide(were);
    this.tell(sample, labels);
    this.before = sample;
    this.last = [sample, census];
  }

  showPs(sample, labels) {
    const ps = sample.ps.slice(0, MOST_PS);
    const n = ps.length;
    this.ps.style.setProperty('--columns', n <= 2 ? n : n <= 4 ? 2 : n <= 9 ? 3 : n <= 16 ? 4 : n <= 36 ? 6 : 8);
    this.root.classList.toggle('few', n <= 2);
    this.root.classList.toggle('roomy', n === 3 || n === 4);
    this.root.classList.toggle('dense', n > 9);
    for (const [number, card] of this.cards) {
      if (number >= n) {
        card.element.remove();
        this.cards.delete(number);
      }
    }
    const now = performance.now();
    for (const p of ps) {
      const card = this.cards.get(p.n) ?? this.newCard(p.n);
      card.element.dataset.state = p.state;
      setText(card.state, p.state);
      setText(card.carried, p.g ? labels[p.g[1]] + ' · ' + p.g[0] : '\u00a0');
      if (p.waiting) card.queuedAt = now;
      else if (now - card.queuedAt < FLIGHT && !calm.matches) continue; // the dots of the queue are still there
      setText(card.queue, p.waiting ? p.waiting + ' queued' : 'queue empty');
      card.fill.classList.toggle('empty', p.waiting === 0);
      card.fill.setAttribute('stroke-dasharray', 2 * Math.PI * RADIUS * Math.min(1, p.waiting / RING_CAPACITY) + ' 1000');
    }
  }

  newCard(number) {
    const state = make('span');
    const carried = make('div', {class: 'carried'});
    const queue = make('div', {class: 'queue'});
    const seatbelt = make('div', {class: 'seatbelt'});
    const fill = makeSvg('circle', {class: 'fill', cx: 60, cy: 60, r: RADIUS, 'stroke-dasharray': '0 1000', transform: 'rotate(-90 60 60)'});
    const dial = makeSvg('svg', {class: 'dial', viewBox: '0 0 120 120', 'aria-hidden': 'true'},
      makeSvg('circle', {class: 'track', cx: 60, cy: 60, r: RADIUS}), fill,
      makeSvg('circle', {class: 'seat', cx: SEAT.x, cy: SEAT.y, r: 22}),
      makeSvg('circle', {class: 'slot', cx: NEXT.x, cy: NEXT.y, r: 7.5}),
      makeSvg('text', {x: NEXT.x + 18, y: NEXT.y + 3}, 'next'));
    const element = make('div', {class: 'p', role: 'listitem'},
      make('div', {class: 'top'}, make('b', {}, 'P' + number), state), dial, make('div', {class: 'side'}, carried, queue, seatbelt));
    const card = {element, state, carried, queue, seatbelt, fill, dial};
    this.cards.set(number, card);
    this.ps.append(element);
    return card;
  }

  showMs(sample, labels) {
    const benches = {off: this.root.querySelector('[data-bench=off]')};
    const seen = new Set();
    const seats = new Map(sample.ps.filter(p => p.m > 0).map(p => [p.m, this.cards.get(p.n)?.seatbelt]));
    let off = 0;
    for (const m of sample.ms) {
      const chip = this.chips.get(m.n) ?? this.newChip(m.n);
      seen.add(m.n);
      const isOff = m.state === 'call' || m.state === 'without P';
      off += isOff;
      const seat = isOff ? benches.off : seats.get(m.n) ?? chip.peg;
      if (!seat) chip.element.remove();
      else if (chip.element.parentNode !== seat) seat.insertBefore(chip.element, isOff ? this.chipBehind(seat, m.n) : null);
      chip.element.dataset.state = seats.has(m.n) && m.state === 'idle' ? 'running' : m.state;
      setText(chip.what, this.whatDoes(m, labels));
      chip.hold.hidden = !isOff;
    }
    for (const [n, chip] of this.chips) {
      if (!seen.has(n)) {
        this.drop(n);
      }
    }
    setText(this.root.querySelector('#off [data-count]'), String(off));
    setText(this.root.querySelector('#idle [data-count]'), String(sample.idleThreads));
  }

  /** Returns the visible positions of the chips and ends their animations. */
  placesOfChips() {
    const places = new Map([...this.chips].map(([n, chip]) => [n, chip.element.getBoundingClientRect()]));
    this.chips.forEach(chip => chip.element.getAnimations().forEach(animation => animation.cancel()));
    return places;
  }

  drop(number) {
    const chip = this.chips.get(number);
    chip.element.remove();
    chip.peg?.remove();
    this.chips.delete(number);
  }

  /** Returns the chip before which number is inserted, because a bench is ordered by number. */
  chipBehind(seat, number) {
    return [...seat.children].find(each => Number(each.dataset.n) > number) ?? null;
  }

  newChip(number) {
    const what = make('i');
    const hold = make('span', {class: 'hold'});
    const element = make('span', {class: 'm', 'data-n': number}, make('span', {}, 'M' + number), hold, what);
    const pegs = this.root.querySelector('[data-bench=idle]');
    const peg = pegs.childElementCount < MOST_PEGS ? make('span', {class: 'peg', 'data-n': number}) : null;
    if (peg) pegs.insertBefore(peg, this.chipBehind(pegs, number));
    const chip = {element, what, hold, peg};
    this.chips.set(number, chip);
    return chip;
  }

  whatDoes(m, labels) {
    const carried = m.g ? labels[m.g[1]] + ' · ' + m.g[0] : '';
    switch (m.state) {
      case 'call': return carried + ' is in a blocking call';
      case 'without P': return carried + (this.computes(m) ? ' is computing' : ' blocks its thread');
      case 'timekeeper': return 'timer';
      case 'spinning': return 'spinning';
      case 'idle': return m.locked ? 'locked' : '';
      default: return m.locked ? 'locked' : '';
    }
  }

  /** Whether its CPU time has grown since the last sample. */
  computes(m) {
    const before = this.before?.ms.find(each => each.n === m.n);
    return !before?.cpu || m.cpu - before.cpu > 20_000;
  }

  /** Animates chips from their old to their new position. */
  glide(were) {
    if (calm.matches) return;
    for (const [n, chip] of this.chips) {
      const from = were.get(n);
      const to = chip.element.getBoundingClientRect();
      const dx = from?.width ? from.x - to.x : 0, dy = from?.width ? from.y - to.y : 0;
      if (Math.hypot(dx, dy) > 12) {
        chip.element.animate([{transform: `translate(${dx}px, ${dy}px)`}, {transform: 'none'}], {duration: 420, easing: 'cubic-bezier(.4, 0, .2, 1)'});
      }
    }
  }

  showTrays(sample, census) {
    const totals = {global: sample.globalQueue, sleep: 0, net: 0, sync: 0};
    for (const [reason, n] of Object.entries(census?.reasons ?? {})) totals[trayOf(reason)] += n;
    for (const [tray, n] of Object.entries(totals)) {
      const element = this.root.querySelector('#' + tray);
      setText(element.querySelector('[data-count]'), count(n));
      element.classList.toggle('busy', n > 0);
    }
  }

  placeDots(sample, census) {
    const origin = this.root.querySelector('#dots').getBoundingClientRect();
    const targets = new Map();
    if (this.names.size > 10_000) this.names.clear();
    const labels = sample.labelNames;
    const put = ([id, label], at, names = labels) => {
      if (targets.has(id)) return;
      targets.set(id, {...at, kind: kindOf(names[label])});
      this.names.set(id, names[label]);
    };
    for (const p of sample.ps) {
      const card = this.cards.get(p.n);
      if (!card) continue;
      const box = card.dial.getBoundingClientRect();
      const unit = box.width / 120;
      const on = ({x, y, r}) => ({x: box.x - origin.x + x * unit, y: box.y - origin.y + y * unit, r: r * Math.max(unit, .8)});
      card.middle = on(SEAT);
      if (p.g) put(p.g, on(SEAT));
      if (p.next) put(p.next, on(NEXT));
      p.ring.slice(0, RING_SHOWN).forEach((g, i) => put(g, on(onRing(i))));
    }
    for (const m of sample.ms) {
      const hold = m.g && m.p < 0 && this.chips.get(m.n)?.hold;
      if (hold && !hold.hidden && hold.isConnected) {
        const box = hold.getBoundingClientRect();
        put(m.g, {x: box.x - origin.x + box.width / 2, y: box.y - origin.y + box.height / 2, r: 6});
      }
    }
    if (census) this.placeWaiting(sample, census, targets, put, origin);
    this.dots.place(targets);
  }

  placeWaiting(sample, census, targets, put, origin) {
    const trays = {global: sample.globalQueue > 0 ? census.runnable.slice(0, sample.globalQueue) : [], sleep: [], net: [], sync: []};
    for (const [reason, some] of Object.entries(census.waiting)) trays[trayOf(reason)].push(...some);
    for (const [tray, gs] of Object.entries(trays)) {
      const box = this.root.querySelector(`[data-pit=${tray}]`).getBoundingClientRect();
      const columns = Math.max(1, Math.floor(box.width / CELL));
      const room = columns * Math.max(1, Math.floor(box.height / CELL));
      const slots = this.slots[tray];
      const here = gs.filter(([id]) => !targets.has(id));
      const ids = new Set(here.map(([id]) => id));
      for (const id of slots.keys()) {
        if (ids.has(id)) continue;
        slots.delete(id);
        if (tray === 'net' && targets.has(id)) this.onEvent('net', [this.names.get(id) + ' · ' + id, ' was woken by the ', 'network poller']);
      }
      const taken = new Set(slots.values());
      let free = 0;
      for (const g of here) {
        if (!slots.has(g[0])) {
          while (taken.has(free)) free++;
          taken.add(free);
          slots.set(g[0], free);
        }
        const i = slots.get(g[0]);
        if (i < room) {
          put(g, {x: box.x - origin.x + CELL * (i % columns + .5), y: box.y - origin.y + CELL * (Math.floor(i / columns) + .5), r: 5}, census.labelNames);
        }
      }
    }
  }

  /** Highlights a dial for a moment, also with reduced motion. */
  pulse(card) {
    const {classList} = card.element;
    clearTimeout(card.pulse);
    classList.remove('pulse');
    requestAnimationFrame(() => classList.add('pulse'));
    card.pulse = setTimeout(() => classList.remove('pulse'), PULSE);
  }

  /** Derives events from the difference to the last sample. */
  tell(sample, labels) {
    if (!this.before) return;
    const before = new Map(this.before.ms.map(m => [m.n, m]));
    for (const m of sample.ms) {
      const steals = m.steals - (before.get(m.n)?.steals ?? m.steals);
      const thief = this.cards.get(m.p)?.middle, victim = this.cards.get(m.victim)?.middle;
      if (steals > 0 && thief && victim && thief !== victim) {
        this.dots.arc(victim, thief);
        this.onEvent('steal', [`P${m.p}`, ` had no work and stole from `, `P${m.victim}`]);
      }
    }
    const ps = new Map(this.before.ps.map(p => [p.n, p]));
    for (const p of sample.ps) {
      const had = ps.get(p.n)?.m;
      const left = had && p.m && had !== p.m && sample.ms.find(m => m.n === had);
      if (left?.g && (left.state === 'call' || left.state === 'without P')) {
        this.pulse(this.cards.get(p.n));
        const why = left.state === 'call' ? ' is in a blocking call' : ' continues without a P';
        this.onEvent('handoff', [`P${p.n}`, ` went from M${had} to M${p.m}: `, labels[left.g[1]] + ' · ' + left.g[0], why]);
      }
    }
  }
}

function trayOf(reason) {
  return reason === 'sleep' ? 'sleep' : reason === 'IO wait' ? 'net' : 'sync';
}

function onRing(i) {
  const angle = 2 * Math.PI * i / RING_SHOWN - Math.PI / 2;
  return {x: 60 + RADIUS * Math.cos(angle), y: 60 + RADIUS * Math.sin(angle), r: 4.3};
}
