// SPDX-License-Identifier: MIT
// Nodes and words. Whatever a client or a scenario said becomes a text node and nothing else.

// make("p", {class: "soft", title: "…"}, "text", node): attributes that are null are left out.
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export function button(words, onclick, attributes = {}) {
  return make("button", { type: "button", onclick, ...attributes }, words);
}

// A journal's string holds bytes: U+00XX stands for the byte XX.
const decoder = new TextDecoder();
export function readable(bytes) {
  for (let i = 0; i < bytes.length; ++i) {
    const code = bytes.charCodeAt(i);
    if (code > 126) {
      return visible(decoder.decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0))));
    }
  }
  return visible(bytes);
}

// Control characters, and those that turn the direction of text, shown instead of obeyed.
function visible(text) {
  return text.replace(/\r\n/g, "\n").replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (letter) => `\\u{${letter.codePointAt(0).toString(16)}}`);
}

// "1.999s", "0.54ms": nanoseconds for people.
export function duration(ns) {
  const sign = ns < 0 ? "−" : "";
  const size = Math.abs(ns);
  if (size < 1e6) return `${sign}${(size / 1e6).toFixed(2)}ms`;
  if (size < 1e9) return `${sign}${Number((size / 1e6).toPrecision(3))}ms`;
  if (size < 60e9) return `${sign}${Number((size / 1e9).toFixed(3))}s`;
  const minutes = Math.floor(size / 60e9);
  return `${sign}${minutes}m${Number(((size - minutes * 60e9) / 1e9).toFixed(1))}s`;
}

export function counted(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

// Tells everybody, screen readers too, what has just happened.
export function say(words) {
  const place = document.getElementById("said");
  place.textContent = "";
  // A status that is set to the words it had would not be read out again.
  requestAnimationFrame(() => { place.textContent = words; });
}
