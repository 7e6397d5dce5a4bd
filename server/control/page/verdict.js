// SPDX-License-Identifier: MIT
// The verdict so far: broken rules first, each with the attempts that show it.
import { button, counted, make } from "./text.js";

const kShown = ["fail", "inconclusive", "advice"];
const kMarks = { pass: "✓", fail: "✗", inconclusive: "?", advice: "!", not_applicable: "–" };
const kMostEvidence = 12;

export function badge(verdict) {
  return make("span", { class: `badge ${verdict}` },
    `${kMarks[verdict] ?? ""} ${verdict.replaceAll("_", " ")}`);
}

function fact(name, value) {
  return value ? [make("dt", {}, name), make("dd", {}, value)] : [];
}

function ruleNode(rule, show) {
  const evidence = rule.attempts.slice(0, kMostEvidence).map(({ attempt }) =>
    button(String(attempt), () => show(attempt), { "aria-label": `Show attempt ${attempt}` }));
  if (rule.attempts.length > kMostEvidence) {
    evidence.push(` and ${rule.attempts.length - kMostEvidence} more`);
  }
  return make("li", { class: `rule ${rule.status}` },
    make("h4", {}, `${kMarks[rule.status]} ${rule.id} `, make("span", {}, rule.statement)),
    make("dl", {}, ...fact("expected", rule.expected), ...fact("observed", rule.observed),
      ...fact("advice", rule.advice)),
    evidence.length > 0 ? make("p", { class: "evidence" }, "attempts ", ...evidence) : null);
}

export class VerdictView {
  // `show(id)` brings an attempt into sight.
  constructor(show) {
    this.show = show;
    this.status = make("span", { "aria-live": "polite" });
    this.rules = make("ul", { class: "rules" });
    this.kept = make("details", { class: "kept" });
    this.node = make("section", { class: "verdict", "aria-labelledby": "verdict-heading" },
      make("div", { class: "bar" }, make("h3", { id: "verdict-heading" }, "Verdict so far"),
        this.status),
      this.rules, this.kept);
    this.said = "";
  }

  // Before there is one.
  wait(words) {
    if (this.said === words) return;
    this.said = words;
    this.status.replaceChildren(make("span", { class: "soft" }, words));
    this.rules.replaceChildren();
    this.kept.hidden = true;
  }

  set(verdict) {
    const shown = kShown.flatMap((status) =>
      verdict.rules.filter((rule) => rule.status === status));
    const state = JSON.stringify([verdict.verdict, shown]);
    if (state === this.said) return;
    this.said = state;
    this.status.replaceChildren(badge(verdict.verdict));
    this.rules.replaceChildren(...shown.map((rule) => ruleNode(rule, this.show)),
      ...verdict.notes.map((note) => make("li", { class: "soft" }, note)));
    const kept = verdict.rules.filter((rule) => rule.status === "pass");
    this.kept.hidden = false;
    const idle = verdict.rules.length - kept.length - shown.length;
    this.kept.replaceChildren(
      make("summary", {}, `${counted(kept.length, "rule")} kept, ${idle} had nothing to judge`),
      make("ul", {}, ...kept.map((rule) => make("li", {}, `✓ ${rule.id} ${rule.statement}`))));
  }
}
