// SPDX-License-Identifier: MIT
// A headless Chromium, a real server and real clients, for the tests of the page.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';

// npm's folder is named by NODE_MODULES: it is not beside these files.
const require = createRequire(`${process.env.NODE_MODULES}/`);
const { chromium } = require('playwright-core');
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export const { Server } = createRequire(import.meta.url)('../../bindings/node/retrylab.js');

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}

// A page in a window of its own; what went wrong in it is in `page.problems`.
export async function open(browser, url, { width = 1400, height = 1000, scheme = 'light',
  bypassCSP = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme,
    bypassCSP });
  const page = await context.newPage();
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(error.stack));
  page.on('console', (message) => {
    if (message.type() === 'error') page.problems.push(message.text());
  });
  await page.goto(url);
  return page;
}

// What axe-core finds, in words. The page has to be opened with `bypassCSP`.
export async function violations(page) {
  await page.evaluate(axeSource);
  const result = await page.evaluate(() => globalThis.axe.run());
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) =>
    html.slice(0, 120)).join(' | ')}`);
}

// curl against a run, as a client that a user has. Returns the status, "000" without an answer.
export function curl(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn('curl', ['-s', '-o', '/dev/null', '-w', '%{http_code}', ...args]);
    let text = '';
    child.stdout.on('data', (bytes) => { text += bytes; });
    child.on('error', reject);
    child.on('close', () => resolve(text));
  });
}

// `paths` one after another on one kept-alive connection.
export async function ask(url, paths) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  for (const path of paths) {
    await new Promise((resolve, reject) => {
      http.get(url + path, { agent }, (answer) => {
        answer.resume();
        answer.on('end', resolve);
      }).on('error', reject);
    });
  }
  agent.destroy();
}
