// SPDX-License-Identifier: MIT
// The helper against the cases that every helper has to pass, and what only it has.
'use strict';

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const nodeTest = require('node:test');
const { setTimeout: sleep } = require('node:timers/promises');

const { findBinary, RetrylabError, Server, use } = require('./retrylab');

const { test } = nodeTest;
const retrylab = use(nodeTest);
const folder = path.join(__dirname, '..', 'cases');
const { cases } = JSON.parse(fs.readFileSync(path.join(folder, 'cases.json'), 'utf8'));

function start({ start: { file, scenario, ...options } }) {
  return retrylab.run(file ? path.join(folder, file) : scenario, options);
}

// The status, or null when there was no answer.
async function send(url, { method, path: target, headers = {}, body, after_ms: after = 0 }) {
  await sleep(after);
  return new Promise((resolve) => {
    const request = http.request(url + target, { method, headers, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
      answer.on('error', () => resolve(null));
    });
    request.on('error', () => resolve(null));
    request.end(body);
  });
}

async function follow(run, one) {
  const statuses = [];
  for (const request of one.requests) statuses.push(await send(run.url, request));
  assert.deepStrictEqual(statuses, one.statuses);
  const verdict = await run.verdict({ wait: `attempts:${one.attempts}`, timeout: '60s' });
  assert.ok(verdict.wait.met);
  const broken = verdict.rules.filter(({ status }) => status === 'fail').map(({ id }) => id);
  if (one.verdict) assert.strictEqual(verdict.verdict, one.verdict, broken.join());
  if (one.broken) assert.ok(broken.includes(one.broken), broken.join());
  const begun = (await run.journal()).filter(({ record }) => record === 'begun');
  assert.strictEqual(begun.length, one.attempts);
  assert.strictEqual(run.seed, one.seed ?? run.seed);
  const created = {};
  for (const { kind } of await run.resources()) created[kind] = (created[kind] ?? 0) + 1;
  if (one.created) assert.deepStrictEqual(created, one.created);
  await run.reset();
  assert.strictEqual((await run.info()).attempts, 0);
}

for (const one of cases) {
  test(one.name, async () => {
    if (one.error) {
      await assert.rejects(start(one), (error) => error instanceof RetrylabError &&
        error.message.includes(one.error));
      return;
    }
    const run = await start(one);
    for (let turn = 0; turn < (one.reset ? 2 : 1); ++turn) await follow(run, one);
    await run.delete();
    await assert.rejects(run.info(), RetrylabError);
  });
}

test('check throws the report', async () => {
  const run = await retrylab.run('two-503-then-success');
  await assert.rejects(run.check(), /FAIL +two-503-then-success/);
});

test('a client that stopped too early does not pass', async () => {
  const run = await retrylab.run({
    name: 'gives-up',
    routes: [{ on: 'GET /items', script: [503, 200] }],
    expect: { profile: 'core', attempts: 2 },
  });
  await send(run.url, { method: 'GET', path: '/items' });
  await assert.rejects(run.check(), /INCONCLUSIVE +gives-up/);
  assert.strictEqual((await run.check({ inconclusive: 'pass' })).verdict, 'inconclusive');
});

test('a missing program is said with how to get it', () => {
  const empty = fs.mkdtempSync(path.join(os.tmpdir(), 'retrylab-'));
  assert.throws(() => findBinary({ PATH: empty }), /scripts\/build/);
  assert.throws(() => findBinary({ RETRYLAB_BIN: path.join(empty, 'nothing') }),
    /RETRYLAB_BIN=.*nothing/);
  const link = path.join(empty, 'retrylab');
  fs.symlinkSync(findBinary(), link);
  assert.strictEqual(findBinary({ PATH: empty }), link);
  fs.rmSync(empty, { recursive: true });
});

test('a process that forgets to stop its server ends all the same, and the server with it',
  async () => {
    const script = `require(${JSON.stringify(require.resolve('./retrylab'))}).Server.start()
      .then((server) => console.log(server.child.pid));`;
    const forgetful = spawn(process.execPath, ['-e', script],
      { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    for await (const piece of forgetful.stdout) text += piece;
    const pid = Number(text);
    assert.ok(pid > 0);
    for (let tries = 0; ; ++tries) {
      const status = await fs.promises.readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'gone');
      if (status === 'gone' || status.includes('State:\tZ')) break;
      assert.ok(tries < 3000);
      await sleep(20);
    }
  });

test('hooks by the names that Jest gives them do', async () => {
  const called = {};
  const lab = use({ beforeAll: (act) => { called.start = act; },
    afterEach: (act) => { called.clean = act; }, afterAll: (act) => { called.stop = act; } });
  await called.start();
  const run = await lab.run('two-503-then-success');
  await called.clean();
  await assert.rejects(run.info(), (error) => error.problem.status === 404);
  await called.stop();
  await assert.rejects(run.info(), RetrylabError);
});

test('a server is stopped', async () => {
  const server = await Server.start();
  await server.stop();
  await assert.rejects(server.call('GET', '/health'), RetrylabError);
});
