// SPDX-License-Identifier: MIT
// Octokit with its retry and throttling plugins; on a rate limit it retries, as its README shows.
import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { answered, base, failed, headers, method, path, timeout } from './contract.mjs';

const again = (after, options, octokit, count) => count < 2;
const octokit = new (Octokit.plugin(retry, throttling))({
  baseUrl: base, throttle: { onRateLimit: again, onSecondaryRateLimit: again },
  // It has no time limit of its own.
  request: { fetch: (to, how) => fetch(to, { ...how, signal: AbortSignal.timeout(timeout) }) },
  log: { debug() {}, info() {}, warn() {}, error() {} },
});
await octokit.request(`${method} ${path}`, { headers, ...(method === 'GET' ? {} : { amount: 5 }) })
  .then((answer) => answered(answer.status), failed);
