// SPDX-License-Identifier: MIT
// The shop's payment client.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const attempts = 4;
const base = 250; // milliseconds
const cap = 8000;
const transient = new Set([429, 502, 503, 504]);

// Milliseconds to wait before the attempt of this number; undefined: longer than we can.
function waitBefore(attempt, retryAfter) {
  if (/^\d+$/.test(retryAfter ?? '')) {
    return retryAfter * 1000 <= cap ? retryAfter * 1000 : undefined;
  }
  return Math.random() * Math.min(cap, base * 2 ** (attempt - 2));
}

// Resolves to the final answer's status; undefined when the last attempt had no answer.
export async function pay(url, amount) {
  const key = randomUUID(); // one per payment, whatever happens
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(url, {
      method: 'POST', body: JSON.stringify({ amount }), signal: AbortSignal.timeout(10_000),
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    }).catch(() => undefined);
    const whole = await answer?.text().then(() => true, () => false);
    if (whole && !transient.has(answer.status)) return answer.status;
    const wait = waitBefore(attempt + 1, answer?.headers.get('retry-after'));
    if (attempt === attempts || wait === undefined) return answer?.status;
    await sleep(wait);
  }
}
