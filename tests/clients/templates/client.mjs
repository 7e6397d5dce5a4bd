// SPDX-License-Identifier: MIT
// Template of an adapter in JavaScript: node client.mjs. Put your client into call().
const env = process.env;

// Makes the operation, with all its retries; resolves to the final status.
async function call(method, url, body, headers) {
  // TODO: your client here. This one makes a single attempt.
  const answer = await fetch(url, { method, body, headers, signal: AbortSignal.timeout(10_000) });
  await answer.text();
  return answer.status;
}

const method = env.RETRYLAB_METHOD ?? 'GET';
const url = env.RETRYLAB_URL + (env.RETRYLAB_PATH ?? '/');
const body = env.RETRYLAB_BODY;
const headers = {
  ...(body && { 'content-type': 'application/json' }),
  ...(env.RETRYLAB_KEY && { 'idempotency-key': env.RETRYLAB_KEY }),
};

const line = await call(method, url, body, headers)
  .then((status) => ({ status }), (error) => ({ reason: String(error) }));
const good = line.status >= 200 && line.status < 300;
process.exitCode = good ? 0 : 1;
console.log(JSON.stringify({ outcome: good ? 'success' : 'failure', ...line }));
