// SPDX-License-Identifier: MIT
// The runs that are alive, as links.
import { counted, make } from "./text.js";

export class RunList {
  constructor(node, none) {
    this.node = node;
    this.none = none;
    this.entries = new Map();  // id -> {item, link, about}
  }

  // `runs`: Map of id to run; `current`: the id of the one that is shown.
  set(runs, current) {
    for (const [id, entry] of this.entries) {
      if (runs.has(id)) continue;
      entry.item.remove();
      this.entries.delete(id);
    }
    for (const run of runs.values()) this.place(run, run.id === current);
    this.none.hidden = runs.size > 0;
  }

  place(run, isCurrent) {
    let entry = this.entries.get(run.id);
    if (!entry) {
      entry = { name: make("strong"), about: make("span", { class: "soft" }) };
      entry.link = make("a", { href: `#/runs/${run.id}` }, entry.name, entry.about);
      entry.item = make("li", {}, entry.link);
      this.entries.set(run.id, entry);
      this.node.append(entry.item);
    }
    const words = [`run ${run.id}`, counted(run.attempts, "attempt")];
    if (run.faults > 0) words.push(counted(run.faults, "fault"));
    if (run.open_connections > 0) words.push(`${run.open_connections} open`);
    if (entry.name.textContent !== run.scenario.name) entry.name.textContent = run.scenario.name;
    const about = words.join(" · ");
    if (entry.about.textContent !== about) entry.about.textContent = about;
    if (isCurrent) entry.link.setAttribute("aria-current", "page");
    else entry.link.removeAttribute("aria-current");
  }
}
