// SPDX-License-Identifier: MIT
// The dialog that starts a run: from the catalogue, or from a scenario that is pasted in.
import { call } from "./api.js";
import { button, make } from "./text.js";

export class StartDialog {
  // `started(run)` is told of the new run.
  constructor(started) {
    this.started = started;
    this.search = make("input", { type: "search", id: "start-search", autocomplete: "off",
      oninput: () => this.narrow() });
    this.names = make("select", { id: "start-name", size: 8, onchange: () => this.explain(),
      ondblclick: () => this.start() });
    this.about = make("p", { class: "soft about" });
    this.own = make("textarea", { id: "start-own", rows: 6, spellcheck: "false" });
    this.seed = make("input", { id: "start-seed", inputmode: "numeric", pattern: "[0-9]*",
      autocomplete: "off" });
    this.ttl = make("input", { id: "start-ttl", autocomplete: "off", placeholder: "5m" });
    this.problem = make("div", { class: "problem", role: "alert" });
    this.node = make("dialog", { "aria-labelledby": "start-heading" },
      make("form", { onsubmit: (event) => { event.preventDefault(); this.start(); } },
        make("h2", { id: "start-heading" }, "Start a run"),
        make("label", { for: "start-search" }, "Search the catalogue"), this.search,
        make("label", { for: "start-name" }, "Scenario"), this.names, this.about,
        make("details", {}, make("summary", {}, "A scenario of your own"),
          make("label", { for: "start-own" }, "Its JSON; used instead of the catalogue's"),
          this.own),
        make("div", { class: "pair" },
          make("div", {}, make("label", { for: "start-seed" }, "Seed (optional)"), this.seed),
          make("div", {}, make("label", { for: "start-ttl" }, "Ends after (optional)"), this.ttl)),
        this.problem,
        make("div", { class: "bar end" },
          button("Cancel", () => this.node.close()),
          make("button", { type: "submit", class: "main" }, "Start"))));
    document.body.append(this.node);
  }

  async open() {
    this.problem.textContent = "";
    this.node.showModal();
    try {
      this.catalogue ??= (await call("GET", "catalogue")).scenarios;
      this.narrow();
    } catch (error) {
      this.tell(error);
    }
  }

  narrow() {
    const words = this.search.value.toLowerCase().split(/\s+/);
    const fit = (this.catalogue || []).filter(({ name, about }) =>
      words.every((word) => `${name} ${about}`.toLowerCase().includes(word)));
    const before = this.names.value;
    this.names.replaceChildren(...fit.map(({ name }) => make("option", { value: name }, name)));
    const kept = fit.some(({ name }) => name === before);
    if (fit.length > 0) this.names.value = kept ? before : fit[0].name;
    this.explain();
  }

  explain() {
    const entry = (this.catalogue || []).find(({ name }) => name === this.names.value);
    this.about.textContent = entry ? `${entry.about} ${entry.routes.join(", ")}`
      : "Nothing in the catalogue has these words.";
  }

  scenario() {
    const own = this.own.value.trim();
    if (own === "") return this.names.value;
    try {
      return JSON.parse(own);
    } catch (error) {
      throw new Error(`This is no JSON: ${error.message}`);
    }
  }

  async start() {
    this.problem.textContent = "";
    try {
      const body = { scenario: this.scenario() };
      if (this.seed.value.trim() !== "") body.seed = Number(this.seed.value);
      if (this.ttl.value.trim() !== "") body.ttl = this.ttl.value.trim();
      const run = await call("POST", "runs", body);
      this.node.close();
      this.started(run);
    } catch (error) {
      this.tell(error);
    }
  }

  tell(error) {
    const mistakes = (error.mistakes || []).map(({ pointer, message }) =>
      make("li", {}, `${pointer || "/"}: ${message}`));
    this.problem.replaceChildren(make("p", {}, error.message), make("ul", {}, ...mistakes));
  }
}
