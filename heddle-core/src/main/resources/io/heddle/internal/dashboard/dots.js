/**
 * The goroutines as dots on a canvas above the stage. Each dot flies from its old to its new position. This is decoration: the
 * same information is on the page as text.
 */
/** How long a dot flies, in ms. */
export const FLIGHT = 420;
const ARC = 900;
const MOST_ARCS = 3;
/** In ms: half of a frame. */
const SLOW = 8;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

export class Dots {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    this.dots = new Map();
    this.arcs = [];
    this.colours = [];
    this.awake = false;
    this.cost = 0;
    this.readColours();
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    this.colours = Array.from({length: 12}, (_, i) => style.getPropertyValue('--k' + i).trim());
    this.warn = style.getPropertyValue('--warn').trim();
    this.card = style.getPropertyValue('--card').trim();
    this.wake();
  }

  /** Sets the positions: a map from id to {x, y, r, kind}. A dot that is no longer in the map fades. */
  place(targets) {
    const now = performance.now();
    for (const [id, to] of targets) {
      const dot = this.dots.get(id);
      if (!dot) {
        this.dots.set(id, {...to, from: {x: to.x, y: to.y, r: 0}, to, since: now, kind: to.kind});
      } else if (dot.to.x !== to.x || dot.to.y !== to.y || dot.to.r !== to.r || dot.gone) {
        Object.assign(dot, {from: this.at(dot, now), to, since: now, gone: false, kind: to.kind});
      }
    }
    for (const [id, dot] of this.dots) {
      if (!targets.has(id) && !dot.gone) {
        Object.assign(dot, {from: this.at(dot, now), to: {...dot.to, r: 0}, since: now, gone: true});
      }
    }
    this.wake();
  }

  /** Draws a steal: sparks along a curve from one position to another. */
  arc(from, to) {
    const isNew = this.arcs.length < MOST_ARCS && this.arcs.every(arc => arc.to.x !== to.x || arc.to.y !== to.y);
    if (!calm.matches && isNew) this.arcs.push({from, to, since: performance.now()});
    this.wake();
  }

  at(dot, now) {
    const t = calm.matches ? 1 : Math.min(1, (now - dot.since) / FLIGHT);
    const e = t < .5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2;
    const {from, to} = dot;
    const far = Math.hypot(to.x - from.x, to.y - from.y);
    const lift = Math.min(26, far / 7) * Math.sin(Math.PI * e);
    return {x: from.x + (to.x - from.x) * e, y: from.y + (to.y - from.y) * e - lift, r: from.r + (to.r - from.r) * e, done: t === 1};
  }

  /** Schedules the next frame. If a frame takes long, waits as long as the last one took. */
  wake() {
    if (this.awake) return;
    this.awake = true;
    const draw = () => requestAnimationFrame(() => {
      this.awake = false;
      const begin = performance.now();
      this.draw(begin);
      this.cost = performance.now() - begin;
    });
    if (this.cost > SLOW) setTimeout(draw, this.cost);
    else draw();
  }

  draw(now) {
    const {canvas, context: c} = this;
    const scale = devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    c.setTransform(scale, 0, 0, scale, 0, 0);
    c.clearRect(0, 0, width, height);
    let moves = this.drawArcs(now);
    for (const [id, dot] of this.dots) {
      const at = this.at(dot, now);
      if (dot.gone && at.done) {
        this.dots.delete(id);
        continue;
      }
      moves ||= !at.done;
      this.drawDot(at, dot);
    }
    if (moves) this.wake();
  }

  drawDot({x, y, r}, dot) {
    const c = this.context;
    const colour = this.colours[dot.kind];
    if (r > 9) {
      c.globalAlpha = .18;
      c.fillStyle = colour;
      c.beginPath();
      c.arc(x, y, r + 6, 0, 2 * Math.PI);
      c.fill();
      c.globalAlpha = 1;
    }
    c.fillStyle = colour;
    c.beginPath();
    c.arc(x, y, Math.max(0, r), 0, 2 * Math.PI);
    c.fill();
    if (r > 2) {
      c.strokeStyle = this.card;
      c.lineWidth = 1.2;
      c.stroke();
    }
  }

  drawArcs(now) {
    const c = this.context;
    this.arcs = this.arcs.filter(arc => now - arc.since < ARC);
    for (const {from, to, since} of this.arcs) {
      const t = (now - since) / ARC;
      const bend = {x: (from.x + to.x) / 2, y: Math.min(from.y, to.y) - 46};
      c.strokeStyle = c.fillStyle = this.warn;
      c.lineWidth = 1.6;
      c.globalAlpha = .55 * (1 - t);
      c.setLineDash([3, 5]);
      c.beginPath();
      c.moveTo(from.x, from.y);
      c.quadraticCurveTo(bend.x, bend.y, to.x, to.y);
      c.stroke();
      c.setLineDash([]);
      for (let i = 0; i < 4; i++) {
        const s = Math.min(1, Math.max(0, t * 1.5 - i * .1));
        c.globalAlpha = s <= 0 || s >= 1 ? 0 : .9;
        const x = (1 - s) ** 2 * from.x + 2 * s * (1 - s) * bend.x + s * s * to.x;
        const y = (1 - s) ** 2 * from.y + 2 * s * (1 - s) * bend.y + s * s * to.y;
        c.beginPath();
        c.arc(x, y, 3.2, 0, 2 * Math.PI);
        c.fill();
      }
      c.globalAlpha = 1;
    }
    return this.arcs.length > 0;
  }
}
