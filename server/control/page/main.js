// SPDX-License-Identifier: MIT
// The page: the list of runs, and the one that the address names ("#/runs/7").
import { follow, takeToken } from "./api.js";
import { RunList } from "./run_list.js";
import { RunView } from "./run_view.js";
import { StartDialog } from "./start.js";
import { make } from "./text.js";

const place = document.getElementById("run");
const link = document.getElementById("link");
const runs = new Map();
const list = new RunList(document.getElementById("runs"), document.getElementById("no-runs"));
let view = null;

function wanted() {
  const named = /^#\/runs\/(\d+)$/.exec(location.hash);
  return named ? named[1] : null;
}

function show() {
  // A run that has ended stays on the screen until another is asked for.
  const id = wanted() ?? (view ? view.run.id : [...runs.keys()].at(-1));
  list.set(runs, id);
  if (view && view.run.id === id) return;
  const run = runs.get(id);
  if (view) view.close();
  view = run ? new RunView(run, forget) : null;
  place.replaceChildren(view ? view.node : make("p", { class: "soft empty" },
    wanted() ? `There is no run ${wanted()}.` : "No run is alive."));
  document.title = run ? `${run.scenario.name} · retrylab` : "retrylab";
}

function forget() {
  runs.delete(view.run.id);
  view = null;
  history.replaceState(null, "", location.pathname);
  show();
}

function keep(run) {
  runs.set(run.id, run);
}

function take(events) {
  for (const { name, data } of events) {
    const document = JSON.parse(data);
    if (name === "hello") {
      runs.clear();
      document.runs.forEach(keep);
    } else if (name === "progress") {
      document.runs.filter(({ id }) => runs.has(id)).forEach(keep);
    } else if (name === "run_ended") {
      runs.delete(document.run.id);
    } else if (document.run) {
      keep(document.run);
    }
  }
  show();
}

function tell(connected) {
  link.textContent = connected ? "live" : "not connected, trying again …";
  link.classList.toggle("bad", !connected);
}

const dialog = new StartDialog((run) => {
  keep(run);
  location.hash = `#/runs/${run.id}`;
  show();
});
document.getElementById("start").addEventListener("click", () => dialog.open());
addEventListener("hashchange", () => {
  show();
  place.focus();
});

takeToken();
follow(() => "events", new AbortController().signal, take, tell).catch((error) => {
  link.textContent = error.status === 401
    ? "This server wants a token: open the page with #token=… behind its address."
    : error.message;
  link.classList.add("bad");
});
