// SPDX-License-Identifier: MIT
// openai with its default retries, by the call its README gives for undocumented endpoints.
import OpenAI from 'openai';
import { answered, base, failed, headers, method, path, timeout } from './contract.mjs';

const client = new OpenAI({ baseURL: base, apiKey: 'dummy', timeout });
const call = method === 'GET' ? client.get(path, { headers })
  : client.post(path, { headers, body: { amount: 5 } });
await call.then(() => answered(200), failed);
