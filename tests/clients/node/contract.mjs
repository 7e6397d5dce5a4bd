// SPDX-License-Identifier: MIT
// The operation that the environment asks for, and how an adapter reports what became of it.
// See docs/client-contract.md.
const env = process.env;
export const base = env.RETRYLAB_URL;
export const method = env.RETRYLAB_METHOD ?? 'GET';
export const path = env.RETRYLAB_PATH ?? '/';
export const url = base + path;
export const key = env.RETRYLAB_KEY;
export const body = env.RETRYLAB_BODY ?? (['POST', 'PUT'].includes(method) ? '{"amount": 5}' : undefined);
export const headers = {
  ...(body && { 'content-type': 'application/json' }),
  ...(key && { 'idempotency-key': key }),
};
export const timeout = 10_000; // milliseconds per attempt

// Waits for the pipe: process.exit() alone may cut the line off.
function end(line, code) {
  process.stdout.write(JSON.stringify(line) + '\n', () => process.exit(code));
}

// The operation ended with an answer of this status.
export function answered(status) {
  const good = status >= 200 && status < 300;
  end({ outcome: good ? 'success' : 'failure', status }, good ? 0 : 1);
}

// The client gave up with this error.
export function failed(error) {
  const status = error.status ?? error.statusCode ?? error.response?.status ?? error.response?.statusCode;
  end({ outcome: 'failure', reason: `${error.name}: ${error.message}`.slice(0, 200),
        ...(Number.isInteger(status) && { status }) }, 1);
}

// This client cannot make such an operation.
export function unsupported(reason) {
  end({ outcome: 'unsupported', reason }, 77);
}
