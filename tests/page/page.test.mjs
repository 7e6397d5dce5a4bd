// SPDX-License-Identifier: MIT
// The page in a browser: scripts/test-page runs this.
import assert from 'node:assert';
import { after, afterEach, before, test } from 'node:test';

import { ask, curl, launch, open, Server, violations } from './browser.mjs';

let server;
let browser;

before(async () => {
  server = await Server.start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});

const kTwice = {
  name: 'twice',
  routes: [{ on: 'GET /items', script: [{ status: 503, retry_after: '1s' }, 200] }],
  expect: { profile: 'core', attempts: 2 },
};
const kPaid = {
  name: 'paid',
  routes: [{ on: 'POST /pay', creates: 'payment', idempotency: {},
    script: [{ status: 201, fault: { do: 'reset', at: 'response_start' } }] }],
  expect: { profile: 'core', created: { payment: 1 } },
};

async function openRun(run, options) {
  const page = await open(browser, `${server.adminUrl}/#/runs/${run.id}`, options);
  await page.locator('#run-heading').waitFor();
  return page;
}

function shows(page, words) {
  return page.getByText(words).first().waitFor();
}

const attempts = (page) => page.locator('.timeline .bar .soft').first();

async function hasText(locator, text) {
  await locator.filter({ hasText: text }).waitFor();
}

test('a run is started from the catalogue, watched, reset and deleted', async () => {
  const page = await open(browser, server.adminUrl);
  await page.getByRole('button', { name: 'Start a run' }).click();
  await page.getByLabel('Search the catalogue').fill('payment survives');
  await page.getByLabel('Scenario', { exact: true }).selectOption('payment-survives-two-503s');
  await page.getByLabel('Seed (optional)').fill('77');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL(/#\/runs\/\d+$/);
  await hasText(page.locator('#run-heading'), 'payment-survives-two-503s');
  const id = /#\/runs\/(\d+)$/.exec(page.url())[1];
  const run = JSON.parse(await server.call('GET', `/runs/${id}`));
  await shows(page, run.url);
  await shows(page, run.command);
  await shows(page, 'seed 77');
  await shows(page, 'waiting for the first attempt');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  for (const [what, words] of [['URL', run.url], ['command', run.command]]) {
    await page.getByRole('button', { name: `Copy ${what}` }).click();
    await hasText(page.locator('#said'), 'Copied');
    assert.strictEqual(await page.evaluate(() => navigator.clipboard.readText()), words);
  }

  // Attempts appear as they come.
  const pay = ['-X', 'POST', '-H', 'Idempotency-Key: k-1', '-d', '{}', `${run.url}/v1/payments`];
  for (const [count, status] of [[1, '503'], [2, '503'], [3, '201']]) {
    assert.strictEqual(await curl(...pay), status);
    await hasText(attempts(page), new RegExp(`^${count} attempts?$`));
    await hasText(page.locator('.row').nth(count - 1), status);
  }
  await hasText(page.locator('.resources li'), 'by attempt 3');
  await hasText(page.locator('.code .current'), 'current step');
  await hasText(page.locator('.verdict .badge'), /pass|fail|inconclusive/);

  await page.getByRole('button', { name: 'Reset' }).click();
  await hasText(attempts(page), '0 attempts');
  assert.strictEqual(await curl(...pay), '503');
  await hasText(attempts(page), '1 attempt');

  page.on('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.locator(`a[href="#/runs/${id}"]`).waitFor({ state: 'detached' });
  await assert.rejects(server.call('GET', `/runs/${id}`));
  assert.deepStrictEqual(page.problems, []);
});

test('faults, waits that were asked for and broken rules are shown', async () => {
  const hasty = await server.run(kTwice);
  const page = await openRun(hasty);
  await curl(`${hasty.url}/items`);
  await curl(`${hasty.url}/items`);
  await hasText(page.locator('.verdict .badge'), 'fail');
  await hasText(page.locator('.rule.fail'), 'RA-1');
  await page.locator('.row.blamed').nth(1).waitFor();
  await page.locator('.track .must-wait').waitFor();
  await page.locator('.rule.fail').filter({ hasText: 'RA-1' })
    .getByRole('button', { name: 'Show attempt 2' }).click();
  await hasText(page.locator('.detail h4'), 'Attempt 2');

  const paid = await server.run(kPaid);
  const other = await openRun(paid);
  const pay = ['-X', 'POST', '-H', 'Idempotency-Key: k-2', `${paid.url}/pay`];
  assert.strictEqual(await curl(...pay), '000');
  await hasText(other.locator('.row'), 'no answer');
  await hasText(other.locator('.row'), 'reset at response_start');
  await hasText(other.locator('.row .answer.faulty'), 'no answer');
  await hasText(other.locator('.row'), 'created payment');
  assert.deepStrictEqual([...page.problems, ...other.problems], []);
  await hasty.delete();
  await paid.delete();
});

test('what a client sends is text, whatever it says', async () => {
  const evil = '<script>document.title="owned"</script>' +
    '<img src=x onerror="document.title=\'owned\'">';
  const run = await server.run({
    name: 'evil"><img src=x onerror=alert(1)>',
    about: evil,
    routes: [{ on: 'POST /pay/{id}', creates: 'payment', idempotency: {}, script: [201] }],
    expect: { profile: 'core' },
  });
  const page = await openRun(run);
  await curl('-X', 'POST', '-H', `Idempotency-Key: ${evil}`, '-H', `X-Evil: ${evil}`, '-A', evil,
    '-d', evil, `${run.url}/pay/%3Cimg%20src=x%20onerror=alert(1)%3E`);
  await curl('--path-as-is', '-g', `${run.url}/<img/src=x/onerror=alert(1)>`);
  await hasText(attempts(page), '2 attempts');
  await page.locator('.row').first().click();
  await page.locator('.detail summary').click();
  await hasText(page.locator('.detail pre'), `X-Evil: ${evil}`);
  assert.strictEqual(await page.locator('img').count(), 0);
  assert.strictEqual(await page.locator('body script').count(), 0);
  assert.ok(!(await page.title()).includes('owned'));
  // And the policy would stop it, should the page ever forget.
  const stopped = await page.evaluate(() => {
    try {
      document.body.innerHTML = '<b></b>';
      return false;
    } catch {
      return true;
    }
  });
  assert.ok(stopped);
  assert.strictEqual(page.problems.filter((words) => !words.includes('Trusted')).length, 0);
  await run.delete();
});

test('one operation is shown alone', async () => {
  const run = await server.run({ ...kTwice, routes: [{ on: 'GET /items/{id}',
    count_by: 'path:id', script: [200] }], expect: { profile: 'core' } });
  const page = await openRun(run);
  await ask(run.url, ['/items/1', '/items/2', '/items/3']);
  await hasText(attempts(page), '3 attempts');
  const filter = page.getByLabel('operation');
  await page.locator('.timeline select option').nth(3).waitFor({ state: 'attached' });
  await filter.selectOption('2');
  await hasText(attempts(page), '1 of 3 attempts');
  await hasText(page.locator('.row'), '/items/2');
  assert.strictEqual(await page.locator('.row').count(), 1);
  await run.delete();
});

test('the keyboard reaches every attempt', async () => {
  const run = await server.run({ ...kTwice, expect: { profile: 'core' } });
  const page = await openRun(run);
  await ask(run.url, Array(60).fill('/items'));
  await hasText(attempts(page), '60 attempts');
  await page.keyboard.press('Tab');
  assert.strictEqual(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Enter');
  for (let i = 0; i < 20; ++i) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement.className === 'rows')) break;
  }
  await page.keyboard.press('Home');
  await hasText(page.locator('.detail h4'), 'Attempt 1');
  await page.keyboard.press('ArrowDown');
  await hasText(page.locator('.detail h4'), 'Attempt 2');
  await page.keyboard.press('End');
  await hasText(page.locator('.detail h4'), 'Attempt 60');
  const active = page.locator('[aria-selected="true"]');
  await active.waitFor();
  assert.strictEqual(await active.getAttribute('aria-posinset'), '60');
  assert.strictEqual(await page.locator('.rows').getAttribute('aria-activedescendant'),
    await active.getAttribute('id'));
  await run.delete();
});

for (const width of [1400, 390]) {
  for (const scheme of ['light', 'dark']) {
    const where = `at ${width} pixels, ${scheme}`;
    test(`${where}, axe-core finds nothing and nothing is cut off`, async () => {
      const run = await server.run(kTwice);
      const page = await openRun(run, { width, height: 900, scheme, bypassCSP: true });
      await curl(`${run.url}/items`);
      await curl(`${run.url}/items`);
      await page.locator('.verdict .badge').waitFor();
      await page.locator('.row').nth(1).click();
      await page.locator('.detail summary').click();
      assert.deepStrictEqual(await violations(page), []);
      assert.ok(await page.evaluate(() =>
        document.documentElement.scrollWidth <= innerWidth));
      if (process.env.SHOTS) {
        await page.screenshot({ path: `${process.env.SHOTS}/run-${width}-${scheme}.png`,
          fullPage: true });
      }
      await page.getByRole('button', { name: 'Start a run' }).click();
      await page.locator('dialog option').first().waitFor({ state: 'attached' });
      assert.deepStrictEqual(await violations(page), []);
      if (process.env.SHOTS) {
        await page.screenshot({ path: `${process.env.SHOTS}/start-${width}-${scheme}.png` });
      }
      await run.delete();
    });
  }
}

// Frames are measured and printed; a test on a busy machine asserts what does not depend on it.
test('10,000 attempts cost what a screenful does', async () => {
  const kMany = 10_000;
  const run = await server.run({
    name: 'many',
    routes: [{ on: 'GET /items/{id}', count_by: 'path:id', script: [503, 200] }],
    limits: { journal_entries: 100_000 },
    expect: { profile: 'core' },
  });
  const page = await openRun(run);
  await page.evaluate(() => {
    globalThis.frames = [];
    let last = performance.now();
    const frame = (now) => {
      globalThis.frames.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const report = async (what) => {
    const times = (await page.evaluate(() => globalThis.frames.splice(0))).sort((a, b) => a - b);
    const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
    console.log(`frames ${what}: ${times.length}, median ${at(0.5).toFixed(1)} ms, ` +
      `p95 ${at(0.95).toFixed(1)} ms, worst ${at(1).toFixed(1)} ms`);
  };
  await ask(run.url, Array.from({ length: kMany }, (_, i) => `/items/${i >> 1}`));
  await hasText(attempts(page), '10,000 attempts');
  await report('while 10,000 attempts came');
  const list = page.locator('.rows');
  await list.hover();
  for (let i = 0; i < 60; ++i) {
    await page.mouse.wheel(0, i % 3 === 0 ? 6000 : -9000);
    await page.waitForTimeout(16);
  }
  await report('while scrolling');
  await list.focus();
  await page.keyboard.press('Home');
  await hasText(page.locator('.detail h4'), 'Attempt 1');
  await page.keyboard.press('End');
  await hasText(page.locator('.detail h4'), 'Attempt 10000');
  assert.ok(await page.locator('.row').count() < 60);
  assert.ok(await page.evaluate(() => document.querySelectorAll('*').length) < 3000);
  assert.deepStrictEqual(page.problems, []);
  await run.delete();
});
