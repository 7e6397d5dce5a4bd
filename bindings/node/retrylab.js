// SPDX-License-Identifier: MIT
// Starts runs of fault-injection scenarios for node:test, Jest and others. README.md has more.
//
//   const retrylab = require('./retrylab').use(require('node:test'));
//   test('the payment is made once', async () => {
//     const run = await retrylab.run('charge-once-though-the-answer-is-lost');
//     await pay(run.url);
//     await run.check();
//   });
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');

const START_MS = 30_000;
const HOW_TO_GET_IT = 'retrylab is not here: set RETRYLAB_BIN to the program, or put it on PATH. ' +
  'To get it, install its Debian package, or build it from its repository with scripts/build ' +
  '(build/release/retrylab).';

// The server refused or is not there; `problem` is its problem+json document, or {}.
class RetrylabError extends Error {
  constructor(message, problem = {}) {
    super(message);
    this.name = 'RetrylabError';
    this.problem = problem;
  }
}

function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

// RETRYLAB_BIN, else the first on PATH.
function findBinary(environment = process.env) {
  const named = environment.RETRYLAB_BIN;
  if (named) {
    if (isProgram(named)) return named;
    throw new RetrylabError(`RETRYLAB_BIN=${named} is no program. ${HOW_TO_GET_IT}`);
  }
  const found = (environment.PATH ?? '').split(path.delimiter).filter(Boolean)
    .map((folder) => path.join(folder, 'retrylab')).find(isProgram);
  if (!found) throw new RetrylabError(HOW_TO_GET_IT);
  return found;
}

function readReady(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    const late = setTimeout(() => reject(new RetrylabError(
      `retrylab did not start within ${START_MS / 1000} s`)), START_MS);
    const end = (act) => (value) => { clearTimeout(late); act(value); };
    child.once('error', end(reject));
    child.once('exit', end((code) => reject(new RetrylabError(
      `retrylab did not start (exit code ${code}); what it said is on standard error`))));
    child.stdout.on('data', (bytes) => {
      text += bytes;
      if (text.includes('\n')) end(resolve)(JSON.parse(text.slice(0, text.indexOf('\n'))));
    });
  });
}

function refusal(status, text) {
  let problem;
  try {
    problem = JSON.parse(text);
  } catch {
    problem = { status, detail: `the server answered ${status}` };
  }
  const mistakes = (problem.mistakes ?? []).map(({ pointer, message }) =>
    `\n  ${pointer || '/'}: ${message}`);
  return new RetrylabError(`retrylab: ${problem.detail ?? problem.title}${mistakes.join('')}`,
    problem);
}

function load(scenario) {
  if (typeof scenario !== 'string' || !scenario.endsWith('.json')) return scenario;
  return JSON.parse(fs.readFileSync(scenario, 'utf8'));
}

// A `retrylab serve` without runs of its own.
class Server {
  // It ends with this process: nothing is left behind when that is killed.
  static async start(binary = findBinary()) {
    const child = spawn(binary,
      ['serve', '--admin-port', '0', '--exit-on-stdin-close', '--exit-with-parent'],
      { stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      return new Server(child, (await readReady(child)).admin_url);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  constructor(child, adminUrl) {
    this.child = child;
    this.adminUrl = adminUrl;
    // Whoever forgets stop() can still end.
    for (const handle of [child, child.stdin, child.stdout]) handle.unref();
  }

  stop() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      this.child.ref();
      this.child.once('exit', () => resolve());
      this.child.stdin.end();
    });
  }

  // The answer's text.
  call(method, target, body) {
    const data = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(data),
    };
    return new Promise((resolve, reject) => {
      const request = http.request(this.adminUrl + target, { method, headers, agent: false },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (piece) => { text += piece; });
          answer.on('error', reject);
          answer.on('end', () => (answer.statusCode < 300 ? resolve(text)
            : reject(refusal(answer.statusCode, text))));
        });
      request.on('error', (error) => reject(new RetrylabError(
        `retrylab does not answer: ${error.message}`)));
      request.end(data);
    });
  }

  // `scenario`: an object, a file (a string that ends in .json), or a name of the catalogue.
  async run(scenario, { seed, ttl } = {}) {
    const answer = await this.call('POST', '/runs', { scenario: load(scenario), seed, ttl });
    return new Run(this, JSON.parse(answer));
  }
}

// A live scenario on a port of its own: send the client under test to `url`.
class Run {
  constructor(server, { id, url, seed }) {
    this.server = server;
    this.path = `/runs/${id}`;
    Object.assign(this, { id, url, seed });
  }

  verdictPath(query) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    return `${this.path}/verdict${given.length ? `?${new URLSearchParams(given)}` : ''}`;
  }

  // What the server knows of it: attempts, faults, script, …
  async info() { return JSON.parse(await this.server.call('GET', this.path)); }

  // The verdict so far, as `retrylab run --json` writes it. `wait`: conditions to wait for, such as
  // 'attempts:3' or 'script_used_up,quiet:300ms'; `timeout`: the longest wait ('10s').
  async verdict({ wait, timeout } = {}) {
    return JSON.parse(await this.server.call('GET', this.verdictPath({ wait, timeout })));
  }

  // Throws the report unless every rule was kept. Returns the verdict. `inconclusive`: what a
  // verdict does that is neither pass nor fail, because it cannot be known whether the client will
  // come again or because this machine was too slow: 'fail' or 'pass'.
  async check({ inconclusive = 'fail', ...options } = {}) {
    const verdict = await this.verdict(options);
    const kept = verdict.verdict === 'pass' ||
      (verdict.verdict === 'inconclusive' && inconclusive === 'pass');
    if (kept) return verdict;
    // Runners show the first line in their summaries: the verdict's, which a report has last.
    const lines = (await this.server.call('GET', this.verdictPath({ format: 'text' })))
      .trimEnd().split('\n');
    throw new Error([lines.at(-1), '', ...lines.slice(0, -1)].join('\n'));
  }

  // Its records so far, as objects.
  async journal() {
    const text = await this.server.call('GET', `${this.path}/journal`);
    return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  }

  // What was created, in that order.
  async resources() {
    return JSON.parse(await this.server.call('GET', `${this.path}/resources`)).resources;
  }

  // Begins anew on the same port.
  async reset({ seed } = {}) { await this.server.call('POST', `${this.path}/reset`, { seed }); }

  // Ends it; its port and its journal are gone.
  async delete() { await this.server.call('DELETE', this.path); }
}

// One server for a test file, one set of runs per test. `hooks`: require('node:test'), or what has
// Jest's beforeAll, afterEach and afterAll; without it, the globals.
function use(hooks = globalThis) {
  const lab = { server: null, runs: [] };
  (hooks.before ?? hooks.beforeAll)(async () => { lab.server = await Server.start(); });
  hooks.afterEach(async () => {
    for (const run of lab.runs.splice(0)) {
      await run.delete().catch((error) => {
        if (error.problem?.status !== 404) throw error;  // 404: the test ended it
      });
    }
  });
  (hooks.after ?? hooks.afterAll)(() => lab.server?.stop());
  return {
    get adminUrl() { return lab.server.adminUrl; },
    async run(scenario, options) {
      const run = await lab.server.run(scenario, options);
      lab.runs.push(run);
      return run;
    },
  };
}

module.exports = { use, Server, Run, RetrylabError, findBinary };
