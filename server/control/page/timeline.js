// SPDX-License-Identifier: MIT
// A run's attempts: the strip of the whole run, the list with a track per attempt, and one attempt
// in detail.
import { Axis } from "./axis.js";
import { endOf, look } from "./journal.js";
import { Overview } from "./overview.js";
import { Rows } from "./rows.js";
import { counted, duration, make, readable } from "./text.js";
import { pendingWindow, windowOf } from "./windows.js";
import { answerWords, facts, gapWords, notes, requestWords } from "./words.js";

const kLooks = [["good", "2xx"], ["moved", "3xx"], ["refused", "4xx, 5xx"],
  ["faulty", "fault or cut"], ["must-wait", "asked to wait"], ["allowed", "declared backoff"], ["resource", "created"]];

const kMostOptions = 200;
const kMostPending = 100;

function legend() {
  return make("p", { class: "legend", "aria-hidden": "true" }, ...kLooks.map(([look, words]) =>
    make("span", {}, make("i", { class: look }), words)));
}

export class Timeline {
  constructor(journal) {
    this.journal = journal;
    this.backoff = null;   // of the scenario's `expect`
    this.blamed = new Set();
    this.operation = "";   // the one that is shown; "": all
    this.shownAttempts = [];
    this.rows = new Rows({
      draw: (node, attempt) => this.draw(node, attempt),
      chosen: (attempt) => this.choose(attempt),
      shown: (first, last) => this.zoom(first, last),
    });
    this.overview = new Overview((attempt) => this.show(attempt.attempt));
    this.count = make("span", { class: "soft" });
    this.filter = make("select", { onchange: () => {
      this.operation = this.filter.value;
      this.update();
    } }, make("option", { value: "" }, "all"));
    this.ruler = make("div", { class: "ruler", "aria-hidden": "true" });
    this.detail = make("section", { class: "detail", "aria-label": "Attempt", hidden: true });
    this.node = make("section", { class: "timeline", "aria-labelledby": "attempts-heading" },
      make("div", { class: "bar" },
        make("h3", { id: "attempts-heading" }, "Attempts"), this.count,
        make("label", { class: "right" }, "operation ", this.filter)),
      this.overview.node, legend(), this.ruler, this.rows.node, this.detail);
  }

  close() { this.overview.close(); }

  windowFor(attempt) {
    const before = this.journal.previous.get(attempt.attempt);
    const retry = this.journal.retry.get(attempt.attempt) ?? 1;
    return windowOf(before, retry, this.journal, this.backoff);
  }

  // Windows of retries that have not come yet.
  pending() {
    const followed = new Set([...this.journal.previous.values()].map(({ attempt }) => attempt));
    return this.shownAttempts.filter(({ attempt }) => !followed.has(attempt)).slice(-kMostPending)
      .map((attempt) => [attempt, pendingWindow(attempt, this.journal, this.backoff)])
      .filter(([, window]) => window !== null);
  }

  // After new records, another grouping or another filter.
  update() {
    const { journal } = this;
    const all = journal.attempts;
    const chosen = Number(this.operation);
    this.shownAttempts = this.operation === "" ? all
      : all.filter(({ attempt }) => journal.operations.get(attempt) === chosen);
    this.count.textContent = this.shownAttempts.length === journal.begun
      ? counted(journal.begun, "attempt")
      : `${this.shownAttempts.length.toLocaleString("en")} of ${counted(journal.begun, "attempt")}`;
    if (this.current && !journal.byId.has(this.current)) this.choose(null);
    this.rows.set(this.shownAttempts);
    this.overview.set(journal, this.shownAttempts, (attempt) => this.windowFor(attempt),
      this.pending());
    this.overview.node.setAttribute("aria-label",
      `${counted(journal.begun, "attempt")} in ${duration(journal.sinceZero(journal.newest))}, ` +
      `${counted(journal.faults, "fault")}, ${counted(journal.resources.length, "resource")}`);
  }

  // The verdict's operations for the filter: all, or of very many those that are blamed and the
  // newest.
  offer(operations) {
    const isBlamed = ({ attempts }) => attempts.some((id) => this.blamed.has(id));
    const few = operations.length <= kMostOptions ? operations : [...new Set([
      ...operations.filter(isBlamed).slice(0, kMostOptions / 2),
      ...operations.slice(-kMostOptions / 2)])];
    const state = few.map(({ operation, attempts }) => `${operation}:${attempts.length}`).join();
    if (state === this.offered) return;
    this.offered = state;
    const options = few.map(({ operation, name, attempts }) => make("option",
      { value: operation }, `${operation}${name ? ` ${readable(name).slice(0, 24)}` : ""} ` +
      `(${attempts.length})`));
    this.filter.replaceChildren(make("option", { value: "" }, "all"), ...options);
    this.filter.value = this.operation;
    if (this.filter.selectedIndex < 0) {  // no longer offered
      this.operation = this.filter.value = "";
    }
  }

  // The time that the rows in sight take is what their tracks show.
  zoom(first, last) {
    let from = Infinity;
    let until = -Infinity;
    for (const attempt of this.shownAttempts.slice(first, last)) {
      from = Math.min(from, attempt.first_byte_ns);
      until = Math.max(until, endOf(attempt, this.journal.newest));
    }
    if (from > until) return this.ruler.replaceChildren();
    const margin = (until - from) * 0.01;
    this.axis = new Axis(from - margin, until + margin);
    this.sight = { from, until };
    this.overview.see(this.sight);
    const zero = this.journal.zero;
    this.ruler.replaceChildren(...this.axis.ticks(zero, 5).map((tick) => {
      const mark = make("span", {}, duration(tick - zero));
      mark.style.left = `${this.axis.share(tick) * 100}%`;
      return mark;
    }));
  }

  piece(kind, from, until) {
    const left = Math.max(0, this.axis.share(from));
    const right = Math.min(1, this.axis.share(until));
    if (right < 0 || left > 1) return null;
    const node = make("i", { class: kind });
    node.style.left = `${left * 100}%`;
    node.style.width = `${Math.max(0, right - left) * 100}%`;
    return node;
  }

  draw(node, attempt) {
    const before = this.journal.previous.get(attempt.attempt);
    const blamed = this.blamed.has(attempt.attempt);
    const gap = gapWords(attempt, before);
    const words = notes(attempt);
    // Rows are drawn again while one scrolls: only what has changed is made anew.
    const state = [attempt.attempt, blamed, gap, !attempt.delivered && this.journal.newest,
      this.axis.from, this.axis.until, words.length, before && before.attempt].join();
    if (node.dataset.state === state) return;
    node.dataset.state = state;
    const track = make("span", { class: "track" });
    const window = this.windowFor(attempt);
    const pieces = [
      window && this.piece(window.kind, window.from, window.until),
      this.piece(look(attempt), attempt.first_byte_ns, endOf(attempt, this.journal.newest)),
      attempt.resource && this.piece("resource", attempt.first_byte_ns, attempt.first_byte_ns),
    ];
    track.append(...pieces.filter(Boolean));
    node.classList.toggle("blamed", blamed);
    node.replaceChildren(
      make("span", { class: "number" }, blamed ? "✗ " : "", String(attempt.attempt)),
      make("span", { class: "what" }, requestWords(attempt)),
      make("span", { class: "gap" }, gap ? `+${gap}` : ""),
      make("span", { class: `answer ${look(attempt)}` }, answerWords(attempt)),
      make("span", { class: "notes" }, words.join(" · ")), track);
  }

  show(id) {
    let index = this.rows.items.findIndex(({ attempt }) => attempt === id);
    if (index < 0 && this.operation !== "") {
      this.operation = this.filter.value = "";
      this.update();
      index = this.rows.items.findIndex(({ attempt }) => attempt === id);
    }
    if (index < 0) return;
    this.rows.select(index);
    this.rows.node.focus();
  }

  choose(attempt) {
    this.current = attempt && attempt.attempt;
    this.detail.hidden = !attempt;
    if (!attempt) return this.detail.replaceChildren();
    const open = Boolean(this.detail.querySelector("details[open]"));
    const head = readable(attempt.head || "").trimEnd();
    this.detail.replaceChildren(
      make("h4", {}, `Attempt ${attempt.attempt}`),
      make("dl", {}, ...facts(attempt, this.journal).flatMap(([name, value]) =>
        [make("dt", {}, name), make("dd", {}, String(value))])),
      make("details", { open }, make("summary", {}, "Headers as sent"),
        make("pre", { tabindex: 0, "aria-label": "Headers as sent" }, head)));
  }
}
