// SPDX-License-Identifier: MIT
// undici's RetryAgent with its defaults; POST only where the server keeps keys.
import { Agent, RetryAgent, request } from 'undici';
import { answered, body, failed, headers, key, method, timeout, url } from './contract.mjs';

const agent = new Agent({ headersTimeout: timeout, bodyTimeout: timeout });
const dispatcher = new RetryAgent(agent, key ? { methods: ['POST'] } : {});
try {
  const answer = await request(url, { method, headers, body, dispatcher });
  await answer.body.text();
  answered(answer.statusCode);
} catch (error) {
  failed(error);
}
