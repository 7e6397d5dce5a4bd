// SPDX-License-Identifier: MIT
// The attempts as a list of any length: only the rows in sight exist. Arrow keys, Home, End and
// Page keys move the selection, as in every list box.
import { make } from "./text.js";

const kSpareRows = 4;

export class Rows {
  // `draw(node, item)` fills a row; `chosen(item)` is told of the selection; `shown(first, last)`
  // of the rows in sight, before they are drawn.
  constructor({ draw, chosen, shown }) {
    this.draw = draw;
    this.chosen = chosen;
    this.shown = shown;
    this.items = [];
    this.selected = -1;
    this.following = true;
    this.pool = new Map();  // index -> node
    this.ground = make("div", { class: "ground", role: "presentation" });
    this.node = make("div", {
      class: "rows", role: "listbox", tabindex: 0, "aria-label": "Attempts",
      onscroll: () => this.scrolled(),
      onkeydown: (event) => this.key(event),
      onclick: (event) => this.click(event),
    }, this.ground);
    new ResizeObserver(() => this.refresh()).observe(this.node);
  }

  // The height of a row, as the style sheet has it.
  height() {
    return parseFloat(getComputedStyle(this.node).getPropertyValue("--row")) || 32;
  }

  set(items) {
    this.items = items;
    if (this.selected >= items.length) this.selected = -1;
    this.refresh();
  }

  refresh() {
    if (this.asked) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      this.paint();
    });
  }

  paint() {
    const height = this.height();
    this.ground.style.height = `${this.items.length * height}px`;
    if (this.following) this.node.scrollTop = this.ground.offsetHeight;
    const first = Math.floor(this.node.scrollTop / height);
    const last = Math.min(this.items.length,
      Math.ceil((this.node.scrollTop + this.node.clientHeight) / height));
    this.shown(first, last);
    const from = Math.max(0, first - kSpareRows);
    const until = Math.min(this.items.length, last + kSpareRows);
    this.keepOnly(from, until);
    for (let i = from; i < until; ++i) this.place(i, height);
    const active = this.pool.get(this.selected);
    if (active) this.node.setAttribute("aria-activedescendant", active.id);
    else this.node.removeAttribute("aria-activedescendant");
  }

  keepOnly(from, until) {
    for (const [index, node] of this.pool) {
      if (index >= from && index < until) continue;
      node.remove();
      this.pool.delete(index);
    }
  }

  place(index, height) {
    let node = this.pool.get(index);
    if (!node) {
      node = make("div", { class: "row", role: "option", id: `row-${index}` });
      node.style.top = `${index * height}px`;
      node.dataset.index = index;
      this.pool.set(index, node);
      this.ground.append(node);
    }
    node.setAttribute("aria-setsize", this.items.length);
    node.setAttribute("aria-posinset", index + 1);
    node.setAttribute("aria-selected", index === this.selected);
    this.draw(node, this.items[index]);
  }

  scrolled() {
    const { scrollTop, clientHeight, scrollHeight } = this.node;
    this.following = scrollTop + clientHeight >= scrollHeight - this.height() / 2;
    this.refresh();
  }

  click(event) {
    const row = event.target.closest(".row");
    if (row) this.select(Number(row.dataset.index));
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.node.clientHeight / this.height()) - 1);
    const last = this.items.length - 1;
    const to = {
      ArrowDown: this.selected + 1, ArrowUp: this.selected - 1, Home: 0, End: last,
      PageDown: this.selected + page, PageUp: this.selected - page,
    }[event.key];
    if (to === undefined || last < 0) return;
    event.preventDefault();
    this.select(Math.min(last, Math.max(0, to)));
  }

  select(index) {
    this.selected = index;
    const height = this.height();
    const top = index * height;
    const { scrollTop, clientHeight } = this.node;
    this.following = false;
    if (top < scrollTop) this.node.scrollTop = top;
    if (top + height > scrollTop + clientHeight) this.node.scrollTop = top + height - clientHeight;
    this.refresh();
    this.chosen(this.items[index]);
  }
}
