// SPDX-License-Identifier: MIT
// A run's records put together: attempts with their ends, resources, pauses. Times are nanoseconds
// on the run's clock.

// More than this many attempts are not kept by the page; the oldest go first, some at a time.
const kMostAttempts = 100_000;
const kForgottenAtOnce = 20_000;

export class Journal {
  constructor() { this.clear(); }

  clear() {
    this.attempts = [];
    this.byId = new Map();
    this.resources = [];
    this.clients = [];
    this.zero = null;        // the run's first connection
    this.wallOrigin = 0;     // of nanosecond 0, in milliseconds
    this.newest = 0;         // the latest time of any record
    this.faults = 0;
    this.begun = 0;          // all attempts, those too that are no longer kept
    this.leftOut = 0;
    this.claims = new Map();      // JSON pointer of a step -> how often it was claimed
    this.currentStep = undefined;
    this.operations = new Map();  // attempt id -> operation number, by the verdict
    this.previous = new Map();    // attempt id -> the attempt before it in its operation
    this.retry = new Map();       // attempt id -> 0 for an operation's first, then 1, 2, …
    this.lastOfGroup = new Map();
  }

  add(record) {
    switch (record.record) {
      case "run": this.wallOrigin = record.wall_origin_ns / 1e6; break;
      case "opened": this.see(record.at_ns); break;
      case "begun": this.begin(record); break;
      case "ended": this.end(record); break;
      case "resource": this.resources.push(record); this.see(record.at_ns); break;
      case "client": this.clients.push(record); break;
      case "dropped": this.leftOut += record.until - record.from; break;
      default: break;
    }
  }

  see(ns) {
    if (ns === undefined) return;
    if (this.zero === null) this.zero = ns;
    if (ns > this.newest) this.newest = ns;
  }

  begin(record) {
    this.see(record.first_byte_ns);
    this.see(record.head_read_ns);
    if ((record.planned.faults || []).length > 0) ++this.faults;
    ++this.begun;
    if (this.attempts.length >= kMostAttempts) this.forget();
    this.claim(record.planned.step);
    this.attempts.push(record);
    this.byId.set(record.attempt, record);
    // Until the verdict tells operations apart, the server's own clues do.
    const group = record.operation || record.key || `${record.method} ${record.target}`;
    const before = this.lastOfGroup.get(group);
    if (before) this.previous.set(record.attempt, before);
    this.retry.set(record.attempt, before ? (this.retry.get(before.attempt) ?? 0) + 1 : 0);
    this.lastOfGroup.set(group, record);
  }

  forget() {
    const maps = [this.byId, this.previous, this.retry, this.operations];
    for (const { attempt } of this.attempts.splice(0, kForgottenAtOnce)) {
      for (const map of maps) map.delete(attempt);
    }
    this.resources.splice(0, this.resources.length - kMostAttempts);
  }

  end(record) {
    const attempt = this.byId.get(record.attempt);
    if (!attempt) return;
    Object.assign(attempt, record);
    this.see(record.delivered && record.delivered.ended_ns);
  }

  // The verdict's operations: [{operation, name, attempts: [id, …]}, …]. What came after the verdict
  // keeps its place by the server's clues until the next one.
  group(operations) {
    for (const operation of operations) {
      let before = null;
      for (const [retry, id] of operation.attempts.entries()) {
        if (!this.byId.has(id)) continue;
        this.operations.set(id, operation.operation);
        this.retry.set(id, retry);
        if (before === null) this.previous.delete(id);
        else this.previous.set(id, this.byId.get(before));
        before = id;
      }
    }
  }

  claim(step) {
    if (!step) return;
    this.claims.set(step, (this.claims.get(step) ?? 0) + 1);
    this.currentStep = step;
  }

  sinceZero(ns) { return ns - (this.zero === null ? ns : this.zero); }
}

// When the client had the answer or had gone; the newest time of all while neither is so.
export function endOf(attempt, newest) {
  const delivered = attempt.delivered;
  if (!delivered) return Math.max(newest, attempt.first_byte_ns);
  return delivered.r_max_ns ?? delivered.peer_left_ns ?? delivered.ended_ns ??
         attempt.first_byte_ns;
}

// From when a wait counts: the answer's earliest arrival.
export function answered(attempt) {
  const delivered = attempt.delivered;
  return delivered ? delivered.r_min_ns ?? delivered.peer_left_ns ?? null : null;
}

// "good", "moved", "refused", "faulty" or "open": how it looks.
export function look(attempt) {
  const { planned, delivered } = attempt;
  if ((planned.faults || []).length > 0 || (delivered && delivered.ending !== "delivered")) {
    return "faulty";
  }
  if (!delivered) return "open";
  if (!planned.status) return "faulty";
  if (planned.status < 300) return "good";
  return planned.status < 400 ? "moved" : "refused";
}
