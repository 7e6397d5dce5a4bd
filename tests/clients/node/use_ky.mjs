// SPDX-License-Identifier: MIT
// ky with its default retries and jitter; POST only where the server keeps keys.
import ky from 'ky';
import { answered, body, failed, headers, key, method, timeout, url } from './contract.mjs';

const retry = { limit: 3, jitter: true, retryOnTimeout: true, ...(key && { methods: ['post'] }) };
try {
  const answer = await ky(url, { method, headers, body, retry, timeout });
  await answer.text();
  answered(answer.status);
} catch (error) {
  failed(error);
}
