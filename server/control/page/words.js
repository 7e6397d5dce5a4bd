// SPDX-License-Identifier: MIT
// What an attempt was, in words.
import { answered, endOf } from "./journal.js";
import { duration, readable } from "./text.js";

export function requestWords(attempt) {
  const key = attempt.key ? `  key ${readable(attempt.key).slice(0, 8)}…` : "";
  return `${readable(attempt.method)} ${readable(attempt.target)}${key}`;
}

// "503", "no answer", "…": the shortest.
export function answerWords(attempt) {
  if (attempt.planned.status) return String(attempt.planned.status);
  return attempt.delivered || (attempt.planned.faults || []).length > 0 ? "no answer" : "…";
}

const kEndings = {
  peer_left: "the client left before the end",
  failed: "this host could not write it",
};

// Retry-After, faults, what was created: what the row says behind the status.
export function notes(attempt) {
  const { planned, delivered } = attempt;
  const notes = [];
  for (const value of planned.retry_after || []) notes.push(`Retry-After: ${readable(value)}`);
  notes.push(...(planned.faults || []));
  if (delivered && delivered.faults_delivered === false) notes.push("the fault did not take place");
  if (attempt.replayed) notes.push("replayed");
  if (attempt.resource) notes.push(`created ${readable(attempt.resource)}`);
  else if (attempt.executed && !attempt.replayed) notes.push("executed");
  if (delivered && kEndings[delivered.ending]) notes.push(kEndings[delivered.ending]);
  const source = planned.source;
  if (source && !["script", "replay"].includes(source)) notes.push(source.replaceAll("_", " "));
  return notes;
}

// From the answer before it to its first byte, or null.
export function gapWords(attempt, before) {
  const from = before ? answered(before) : null;
  return from === null ? null : duration(attempt.first_byte_ns - from);
}

export function facts(attempt, journal) {
  const { planned, delivered } = attempt;
  const before = journal.previous.get(attempt.attempt);
  return [
    ["request", requestWords(attempt)],
    ["answer", [answerWords(attempt), ...notes(attempt)].join(" · ")],
    ["arrived", duration(Math.max(0, journal.sinceZero(attempt.first_byte_ns)))],
    ["after", gapWords(attempt, before) && `${gapWords(attempt, before)} since the answer to ` +
      `attempt ${before.attempt}`],
    ["took", delivered && duration(endOf(attempt, journal.newest) - attempt.first_byte_ns)],
    ["connection", `${attempt.connection}, request ${attempt.number_on_connection || 1}`],
    ["operation", journal.operations.get(attempt.attempt)],
    ["key", attempt.key && readable(attempt.key)],
    ["body", attempt.body_bytes ? `${attempt.body_bytes} bytes` : null],
    ["step", planned.step],
    ["no route", (planned.near_misses || []).map(readable).join("; ")],
    ["note", planned.note && readable(planned.note)],
  ].filter(([, value]) => value !== null && value !== undefined && value !== "");
}
