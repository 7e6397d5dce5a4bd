// SPDX-License-Identifier: MIT
// mockttp is a library: this is the smallest server made with it. It runs in the folder where the
// peers are installed. Argument: the port.
import * as mockttp from 'mockttp';

const body = '{"id":"pay_0123456789","status":"succeeded","amount":123456}';
// The length keeps the connection alive.
const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
const server = mockttp.getLocal();
await server.start(Number(process.argv[2]));

for (const [path, delay] of [['/json', 0], ['/delay100', 100], ['/delay2000', 2000]]) {
  const rule = server.forGet(path);
  if (delay > 0) rule.delay(delay);
  await rule.thenReply(200, body, headers);
}
await server.forGet('/stall').thenTimeout();
