// SPDX-License-Identifier: MIT
// The admin API: openapi.json describes it.

const kRetryMs = 1000;
const kTokenKey = "retrylab-token";

// What a problem+json said.
export class Problem extends Error {
  constructor(status, document) {
    super(document.detail || document.title || `the server answered ${status}`);
    this.status = status;
    this.mistakes = document.mistakes || [];
  }
}

// "#token=…" in the address is kept for this tab and taken out of sight.
export function takeToken() {
  const given = /^#token=(.+)$/.exec(location.hash);
  if (!given) return;
  sessionStorage.setItem(kTokenKey, decodeURIComponent(given[1]));
  history.replaceState(null, "", location.pathname);
}

function headers(more = {}) {
  const token = sessionStorage.getItem(kTokenKey);
  return token ? { ...more, Authorization: `Bearer ${token}` } : more;
}

async function refuse(answer) {
  const document = await answer.json().catch(() => ({}));
  return new Problem(answer.status, document);
}

// The document, or null for one without.
export async function call(method, path, body) {
  const options = { method, headers: headers(), cache: "no-store" };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers = headers({ "Content-Type": "application/json" });
  }
  const answer = await fetch(path, options);
  if (!answer.ok) throw await refuse(answer);
  return answer.status === 204 ? null : answer.json();
}

export async function text(path) {
  const answer = await fetch(path, { headers: headers(), cache: "no-store" });
  if (!answer.ok) throw await refuse(answer);
  return answer.text();
}

// One block of a text/event-stream.
function readEvent(block) {
  const event = { name: "message", data: "", id: null };
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, "");
    const field = line.slice(0, colon);
    if (field === "event") event.name = value;
    else if (field === "id") event.id = value;
    else if (field === "data") event.data += event.data ? `\n${value}` : value;
  }
  return event.data ? event : null;
}

async function readStream(body, take) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value.replaceAll("\r", "")).split("\n\n");
    rest = blocks.pop();
    const events = blocks.map(readEvent).filter((event) => event !== null);
    if (events.length > 0) take(events);
  }
}

// Follows an event stream until `signal` aborts, beginning again when it breaks off. `path()` is
// asked each time, `take` gets the events in batches, `tell(true | false)` whether it is connected.
// Ends with a Problem when the server refuses.
export async function follow(path, signal, take, tell) {
  while (!signal.aborted) {
    try {
      const answer = await fetch(path(), { headers: headers(), signal, cache: "no-store" });
      if (!answer.ok) throw await refuse(answer);
      tell(true);
      await readStream(answer.body, take);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && error.status < 500) throw error;
    }
    if (signal.aborted) return;
    tell(false);
    await new Promise((resolve) => setTimeout(resolve, kRetryMs));
  }
}
