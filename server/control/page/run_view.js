// SPDX-License-Identifier: MIT
// One run: its addresses and buttons, and what it has recorded, as it comes.
import { call, follow, text } from "./api.js";
import { Journal } from "./journal.js";
import { ScenarioView } from "./scenario.js";
import { button, duration, make, readable, say } from "./text.js";
import { Timeline } from "./timeline.js";
import { VerdictView } from "./verdict.js";

const kRedrawMs = 100;
const kVerdictMs = 400;       // at least so long between two verdicts,
const kVerdictShare = 10;     // and at most a tenth of the time spent on them
const kMostResources = 200;

async function copy(words, field) {
  try {
    await navigator.clipboard.writeText(words);
    say("Copied");
  } catch {
    getSelection().selectAllChildren(field);  // no clipboard on a plain http address
    say("Selected: copy it with your keyboard");
  }
}

function copyRow(name, words) {
  const field = make("code", {}, words);
  return make("div", { class: "copy" }, make("span", { class: "soft" }, name), field,
    button("Copy", () => copy(words, field), { "aria-label": `Copy ${name}` }));
}

export class RunView {
  // `gone()` is called when the run is deleted here.
  constructor(run, gone) {
    this.run = run;
    this.gone = gone;
    this.journal = new Journal();
    this.offset = 0;
    this.timeline = new Timeline(this.journal);
    this.verdict = new VerdictView((id) => this.timeline.show(id));
    this.scenario = new ScenarioView();
    this.resources = make("ul", { class: "resources" });
    this.noResources = make("p", { class: "soft" }, "None yet.");
    this.notice = make("p", { class: "notice", role: "status", hidden: true });
    this.stop = new AbortController();
    this.node = make("article", { "aria-labelledby": "run-heading" }, this.header(), this.notice,
      make("div", { class: "halves" },
        make("div", {}, this.timeline.node),
        make("div", {}, this.verdict.node, this.scenario.node,
          make("section", { "aria-labelledby": "resources-heading" },
            make("h3", { id: "resources-heading" }, "Resources"), this.resources,
            this.noResources))));
    this.verdict.wait("waiting for the first attempt");
    this.begin();
  }

  header() {
    const { run } = this;
    this.buttons = [button("Reset", () => this.reset()),
      button("Delete", () => this.delete(), { class: "danger" })];
    return make("header", {},
      make("div", { class: "bar" }, make("h2", { id: "run-heading" }, run.scenario.name),
        make("span", { class: "right bar" }, ...this.buttons)),
      make("p", { class: "soft" }, run.scenario.about),
      copyRow("URL", run.url),
      run.command ? copyRow("command", run.command) : null,
      make("p", { class: "soft" }, `run ${run.id} · seed ${run.seed} · started ` +
        new Date(run.started).toLocaleString()));
  }

  async begin() {
    try {
      const scenario = JSON.parse(await text(`runs/${this.run.id}/scenario`));
      this.timeline.backoff = scenario.expect && scenario.expect.backoff;
      this.scenario.set(scenario);
      await follow(() => `events?run=${this.run.id}&from=${this.offset}`, this.stop.signal,
        (events) => this.take(events), () => {});
    } catch (error) {
      if (!this.stop.signal.aborted) this.over(error.message);
    }
  }

  take(events) {
    for (const { name, data, id } of events) {
      if (id !== null) this.offset = Number(id);
      if (name === "record") this.journal.add(JSON.parse(data));
      else if (name === "run_reset") this.anew();
      else if (name === "run_ended") this.over(`This run is over: ${JSON.parse(data).why}.`);
      else if (name === "dropped") this.skip(JSON.parse(data));
    }
    this.changed();
  }

  // The server kept no more, or this page was too slow for it.
  skip({ from, until }) {
    this.offset = until;
    this.journal.leftOut += until - from;
  }

  anew() {
    this.journal.clear();
    this.offset = 0;
    this.timeline.choose(null);
    this.timeline.rows.following = true;
    this.judged = false;
    this.verdict.wait("waiting for the first attempt");
  }

  changed() {
    this.redraw ??= setTimeout(() => {
      this.redraw = undefined;
      this.draw();
      this.askVerdict();
    }, kRedrawMs);
  }

  draw() {
    this.timeline.update();
    this.scenario.mark(this.journal.claims, this.journal.currentStep);
    const { resources } = this.journal;
    this.noResources.hidden = resources.length > 0;
    if (this.resources.childElementCount !== Math.min(resources.length, kMostResources)) {
      this.resources.replaceChildren(...resources.slice(-kMostResources).map((resource) =>
        make("li", {}, button(readable(resource.id), () => this.timeline.show(resource.attempt)),
          ` by attempt ${resource.attempt}, at ` +
          duration(this.journal.sinceZero(resource.at_ns)))));
    }
    if (this.journal.leftOut > 0) {
      this.tell(`${this.journal.leftOut} records are no longer kept and are not shown.`);
    }
  }

  // One at a time, and not more often than is good for the server.
  askVerdict() {
    if (this.asking || this.journal.attempts.length === 0) {
      this.askAgain = this.asking;
      return;
    }
    if (!this.judged) this.verdict.wait("judging …");
    this.asking = true;
    this.askAgain = false;
    const begin = performance.now();
    this.fetchVerdict().finally(() => {
      const pause = Math.max(kVerdictMs, (performance.now() - begin) * kVerdictShare);
      setTimeout(() => {
        this.asking = false;
        if (this.askAgain && !this.stop.signal.aborted) this.askVerdict();
      }, pause);
    });
  }

  async fetchVerdict() {
    try {
      const verdict = await call("GET", `runs/${this.run.id}/verdict?attempts=false`);
      if (this.journal.attempts.length === 0) return;
      this.timeline.blamed = new Set(verdict.rules.filter(({ status }) => status === "fail")
        .flatMap(({ attempts }) => attempts.map(({ attempt }) => attempt)));
      this.journal.group(verdict.operations);
      this.timeline.offer(verdict.operations);
      this.verdict.set(verdict);
      this.judged = true;
      this.timeline.update();
    } catch (error) {
      if (error.status !== 404) this.tell(`No verdict: ${error.message}`);
    }
  }

  tell(words) {
    this.notice.hidden = false;
    if (this.notice.textContent !== words) this.notice.textContent = words;
  }

  over(words) {
    this.stop.abort();
    for (const node of this.buttons) node.disabled = true;
    this.tell(words);
  }

  async reset() {
    try {
      await call("POST", `runs/${this.run.id}/reset`, {});
      say("The run begins anew");
    } catch (error) {
      this.tell(error.message);
    }
  }

  async delete() {
    if (!confirm(`End run ${this.run.id}? Its journal goes with it.`)) return;
    try {
      this.stop.abort();
      await call("DELETE", `runs/${this.run.id}`);
      say("The run is over");
      this.gone();
    } catch (error) {
      this.tell(error.message);
    }
  }

  close() {
    this.stop.abort();
    this.timeline.close();
    clearTimeout(this.redraw);
  }
}
