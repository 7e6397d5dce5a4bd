// SPDX-License-Identifier: MIT
// The whole run on one strip: a mark per attempt, one lane per operation, waits that were asked
// for, resources on the upper edge, and the part that the list shows.
import { Axis } from "./axis.js";
import { endOf, look } from "./journal.js";
import { duration, make } from "./text.js";

const kEdge = 14;      // for resources above and the scale below, in pixels
const kMarkWidth = 3;
const kMostLanes = 12;
const kFarthestNs = 60e9;  // a wait that ends later than this is cut off

function colours() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    good: colour("good"), moved: colour("info"), refused: colour("warn"), faulty: colour("bad"),
    open: colour("soft"), must: colour("must"), may: colour("may"), line: colour("line"),
    text: colour("soft"), resource: colour("info"),
  };
}

export class Overview {
  // `picked(attempt)` is told of a click near one.
  constructor(picked) {
    this.picked = picked;
    this.node = make("canvas", { class: "overview", role: "img",
      onclick: (event) => this.click(event) });
    // All but the part in sight, which moves with every scroll.
    this.layer = make("canvas");
    this.attempts = [];
    new ResizeObserver(() => this.refresh()).observe(this.node);
    this.over = new AbortController();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.refresh(),
      { signal: this.over.signal });
  }

  close() { this.over.abort(); }

  // `windowFor(attempt)` as windows.js has it; `pending`: [attempt, window] where a retry has not
  // come yet.
  set(journal, attempts, windowFor, pending) {
    Object.assign(this, { journal, attempts, windowFor, pending });
    this.refresh();
  }

  // {from, until} of what the list shows.
  see(sight) {
    this.sight = sight;
    this.ask();
  }

  refresh() {
    this.stale = true;
    this.ask();
  }

  ask() {
    if (this.asked || !this.journal) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      if (this.stale) this.paintLayer();
      this.paint();
    });
  }

  // A pen for a canvas as large as the element is on this screen.
  pen(canvas) {
    const ratio = devicePixelRatio || 1;
    const width = Math.round(this.node.clientWidth * ratio);
    const height = Math.round(this.node.clientHeight * ratio);
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    return pen;
  }

  paint() {
    const pen = this.pen(this.node);
    const { clientWidth: width, clientHeight: height } = this.node;
    if (width === 0 || !this.axis) return;
    pen.drawImage(this.layer, 0, 0, width, height);
    if (!this.sight) return;
    const from = this.axis.share(this.sight.from) * width;
    const until = this.axis.share(this.sight.until) * width;
    pen.strokeStyle = colours().text;
    pen.strokeRect(from - 1.5, kEdge - 1.5, Math.max(4, until - from + 3), height - 2 * kEdge + 3);
  }

  lane(attempt) {
    return ((this.journal.operations.get(attempt.attempt) ?? 1) - 1) % kMostLanes;
  }

  paintLayer() {
    this.stale = false;
    const { journal, attempts } = this;
    const pen = this.pen(this.layer);
    this.axis = null;
    if (attempts.length === 0) return;
    const { clientWidth: width, clientHeight: height } = this.node;
    const begin = attempts[0].first_byte_ns;
    const end = this.pending.reduce((latest, [, { until }]) =>
      (until - journal.newest < kFarthestNs ? Math.max(latest, until) : latest), journal.newest);
    const margin = (end - begin) * 0.01;
    this.axis = new Axis(begin - margin, end + margin);
    const paint = colours();
    const x = (ns) => this.axis.share(ns) * width;
    this.scale(pen, paint, x, width, height);
    const lanes = attempts.reduce((most, attempt) => Math.max(most, this.lane(attempt) + 1), 1);
    const step = (height - 2 * kEdge) / lanes;
    for (const attempt of attempts) {
      this.paintWindow(pen, paint, x, attempt, this.windowFor(attempt), step);
    }
    for (const [attempt, window] of this.pending) {
      this.paintWindow(pen, paint, x, attempt, window, step);
    }
    for (const attempt of attempts) {
      const from = x(attempt.first_byte_ns);
      pen.fillStyle = paint[look(attempt)];
      pen.fillRect(from, kEdge + this.lane(attempt) * step + 1,
        Math.max(kMarkWidth, x(endOf(attempt, journal.newest)) - from), Math.max(2, step - 2));
    }
    for (const resource of journal.resources) this.paintResource(pen, paint, x(resource.at_ns));
  }

  paintWindow(pen, paint, x, attempt, window, step) {
    if (!window) return;
    pen.fillStyle = window.kind === "allowed" ? paint.may : paint.must;
    pen.fillRect(x(window.from), kEdge + this.lane(attempt) * step,
      x(window.until) - x(window.from), step);
  }

  paintResource(pen, paint, at) {
    pen.fillStyle = paint.resource;
    pen.beginPath();
    pen.moveTo(at - 4, 2);
    pen.lineTo(at + 4, 2);
    pen.lineTo(at, kEdge - 2);
    pen.fill();
  }

  scale(pen, paint, x, width, height) {
    pen.font = "11px ui-monospace, monospace";
    pen.textBaseline = "bottom";
    for (const tick of this.axis.ticks(this.journal.zero, width < 500 ? 3 : 7)) {
      pen.fillStyle = paint.line;
      pen.fillRect(x(tick), kEdge, 1, height - 2 * kEdge);
      pen.fillStyle = paint.text;
      const words = duration(tick - this.journal.zero);
      const size = pen.measureText(words).width;
      pen.fillText(words, Math.max(0, Math.min(x(tick) - size / 2, width - size)), height);
    }
  }

  click(event) {
    if (!this.axis || this.attempts.length === 0) return;
    const at = this.axis.from +
      (event.offsetX / this.node.clientWidth) * (this.axis.until - this.axis.from);
    let nearest = this.attempts[0];
    for (const attempt of this.attempts) {
      if (Math.abs(attempt.first_byte_ns - at) < Math.abs(nearest.first_byte_ns - at)) {
        nearest = attempt;
      }
    }
    this.picked(nearest);
  }
}
