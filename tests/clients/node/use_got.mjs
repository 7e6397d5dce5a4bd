// SPDX-License-Identifier: MIT
// got with its default retries; POST only where the server keeps keys.
import got from 'got';
import { answered, body, failed, headers, key, method, timeout, url } from './contract.mjs';

const methods = [...got.defaults.options.retry.methods, ...(key ? ['POST'] : [])];
await got(url, { method, headers, body, retry: { methods }, timeout: { request: timeout } })
  .then((answer) => answered(answer.statusCode), failed);
