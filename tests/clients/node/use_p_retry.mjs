// SPDX-License-Identifier: MIT
// p-retry around Node's fetch. p-retry knows no HTTP; what is retried is the adapter's word.
import pRetry from 'p-retry';
import { answered, body, failed, headers, key, method, timeout, url } from './contract.mjs';

async function call() {
  const answer = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(timeout) });
  await answer.text();
  if (![429, 502, 503, 504].includes(answer.status)) return answer.status;
  throw Object.assign(new Error(`status ${answer.status}`), { status: answer.status });
}

const retries = method === 'POST' && !key ? 0 : 4;
await pRetry(call, { retries, minTimeout: 500, maxTimeout: 8000, randomize: true })
  .then(answered, failed);
