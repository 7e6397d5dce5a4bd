// SPDX-License-Identifier: MIT
// When the next attempt of an operation was asked to come: after Retry-After, else within the
// backoff that the scenario declares.
import { answered } from "./journal.js";

const kNsPerMs = 1e6;
const kNsPerUnit = { ns: 1, us: 1e3, ms: kNsPerMs, s: 1e9, m: 60e9, h: 3600e9, d: 86400e9 };

// "250ms", "1m30s" of the scenario language; null when it is none.
export function parseDuration(text) {
  let ns = 0;
  const rest = String(text).replace(/(\d+(?:\.\d+)?)(ns|us|ms|s|m|h|d)/g, (_, number, unit) => {
    ns += Number(number) * kNsPerUnit[unit];
    return "";
  });
  return rest === "" && text !== "" ? ns : null;
}

// The least and the most of a wait, as shares of the backoff's ceiling.
const kJitter = { none: [1, 1], full: [0, 1], equal: [0.5, 1] };

// The wait before retry number `retry` (1, 2, …) as [least, most] in ns, or null.
export function backoffWait(backoff, retry) {
  const base = backoff && parseDuration(backoff.base);
  const shares = backoff && kJitter[backoff.jitter || "full"];
  if (!base || !shares) return null;
  const cap = backoff.cap ? parseDuration(backoff.cap) ?? Infinity : Infinity;
  const ceiling = Math.min(cap, base * (backoff.factor ?? 2) ** (retry - 1));
  return shares.map((share) => share * ceiling);
}

// The wait that a Retry-After asks for, in ns; null for one that asks for none.
export function retryAfterWait(values, wallMs) {
  if (!values || values.length !== 1) return null;
  const value = values[0].trim();
  if (/^\d+$/.test(value)) return Number(value) * 1e9;
  if (!/[A-Za-z]{3}/.test(value)) return null;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, (date - wallMs) * kNsPerMs);
}

// {kind: "must-wait" | "allowed", from, until} for the attempt, or null. `retry` counts from 1.
export function windowOf(before, retry, journal, backoff) {
  const at = before ? answered(before) : null;
  if (at === null) return null;
  const wait = retryAfterWait(before.planned.retry_after, journal.wallOrigin + at / kNsPerMs);
  if (wait !== null && wait > 0) return { kind: "must-wait", from: at, until: at + wait };
  const band = backoffWait(backoff, retry);
  return band && { kind: "allowed", from: at + band[0], until: at + band[1] };
}

// Where the retry is asked to be that has not come yet, or null: after the newest attempt of an
// operation, unless that one ended well.
export function pendingWindow(attempt, journal, backoff) {
  const well = attempt.planned.status >= 200 && attempt.planned.status < 400 &&
    attempt.delivered && attempt.delivered.ending === "delivered" &&
    (attempt.planned.faults || []).length === 0;
  if (well && !attempt.planned.retry_after) return null;
  return windowOf(attempt, (journal.retry.get(attempt.attempt) ?? 0) + 1, journal, backoff);
}
