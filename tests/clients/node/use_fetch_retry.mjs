// SPDX-License-Identifier: MIT
// fetch-retry around Node's fetch, with the statuses and the exponential wait of its README. It
// looks at no method: a POST without a key is sent without it.
import fetchRetry from 'fetch-retry';
import { answered, body, failed, headers, key, method, timeout, url } from './contract.mjs';

const limited = (to, how) => fetch(to, { ...how, signal: AbortSignal.timeout(timeout) });
const retrying = fetchRetry(limited, {
  retries: method === 'POST' && !key ? 0 : 3,
  retryOn: [429, 502, 503, 504],
  retryDelay: (attempt) => 2 ** attempt * 500,
});
try {
  const answer = await retrying(url, { method, headers, body });
  await answer.text();
  answered(answer.status);
} catch (error) {
  failed(error);
}
