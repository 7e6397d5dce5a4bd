// SPDX-License-Identifier: MIT
// The scenario as text, one step per line where it fits, with the steps marked that were claimed.
import { make } from "./text.js";

const kWidth = 64;

function escaped(key) {
  return String(key).replaceAll("~", "~0").replaceAll("/", "~1");
}

// Lines of {pointer, depth, text}: a value that fits into one line is one line.
function* print(value, pointer, depth, before, after) {
  const short = JSON.stringify(value, null, 1).replace(/\n */g, " ");
  const plain = typeof value !== "object" || value === null;
  if (plain || before.length + short.length + 2 * depth <= kWidth) {
    yield { pointer, depth, text: before + short + after };
    return;
  }
  const list = Array.isArray(value);
  const entries = Object.entries(value);
  yield { pointer, depth, text: `${before}${list ? "[" : "{"}` };
  for (const [i, [key, member]] of entries.entries()) {
    yield* print(member, `${pointer}/${escaped(key)}`, depth + 1,
      list ? "" : `${JSON.stringify(key)}: `, i + 1 < entries.length ? "," : "");
  }
  yield { pointer, depth, text: `${list ? "]" : "}"}${after}`, closing: true };
}

// A script is always broken up, so that each step has its line.
function* lines(scenario) {
  for (const line of print(scenario, "", 0, "", "")) {
    const script = /^(\/routes\/\d+|\/connections)\/script$|^\/connections$/.test(line.pointer);
    const list = script && !line.closing && pointed(scenario, line.pointer);
    if (!Array.isArray(list) || list.length === 0 || line.text.endsWith("[")) {
      yield line;
      continue;
    }
    const [, before, after] = /^("(?:[^"\\]|\\.)*": )?.*?(,?)$/.exec(line.text);
    yield { ...line, text: `${before ?? ""}[` };
    for (const [i, step] of list.entries()) {
      const comma = i + 1 < list.length ? "," : "";
      yield* print(step, `${line.pointer}/${i}`, line.depth + 1, "", comma);
    }
    yield { ...line, text: `]${after}`, closing: true };
  }
}

function pointed(document, pointer) {
  return pointer.split("/").slice(1).reduce((value, key) =>
    value && value[key.replaceAll("~1", "/").replaceAll("~0", "~")], document);
}

export class ScenarioView {
  constructor() {
    this.lines = [];
    this.code = make("div", { class: "code", role: "group", tabindex: 0,
      "aria-label": "Scenario" });
    this.node = make("section", { class: "scenario", "aria-labelledby": "scenario-heading" },
      make("h3", { id: "scenario-heading" }, "Scenario"), this.code);
  }

  set(scenario) {
    this.lines = [...lines(scenario)].map((line) => {
      const text = make("code", {}, line.text);
      text.style.paddingInlineStart = `${line.depth + 2}em`;
      const mark = make("span", { class: "mark" });
      const node = make("div", {}, text, mark);
      return { ...line, node, mark };
    });
    this.code.replaceChildren(...this.lines.map((line) => line.node));
  }

  // `claims`: how often each step was, `current`: the one claimed last, or undefined.
  mark(claims, current) {
    for (const { pointer, node, mark, closing } of this.lines) {
      const count = closing ? undefined : claims.get(pointer);
      const isCurrent = !closing && pointer !== "" && pointer === current;
      node.classList.toggle("claimed", count !== undefined);
      node.classList.toggle("current", isCurrent);
      if (isCurrent) node.setAttribute("aria-current", "step");
      else node.removeAttribute("aria-current");
      const words = [isCurrent ? "current step" : "", count ? `×${count}` : ""].join(" ").trim();
      if (mark.textContent !== words) mark.textContent = words;
    }
    if (current !== this.current) this.reveal(current);
    this.current = current;
  }

  // Within the box: the page stays where it is.
  reveal(pointer) {
    const line = this.lines.find((one) => one.pointer === pointer);
    if (!line) return;
    const { offsetTop, offsetHeight } = line.node;
    const { scrollTop, clientHeight } = this.code;
    if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) {
      this.code.scrollTop = offsetTop - clientHeight / 3;
    }
  }
}
