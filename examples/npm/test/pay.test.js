// SPDX-License-Identifier: MIT
// Run as: npm test, with retrylab on the PATH.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const scenarios = [
  'payment-survives-two-503s',
  'answer-lost-reset',
  'charge-once-though-the-answer-is-lost',
];
for (const scenario of scenarios) {
  test(`a payment is made once: ${scenario}`, (t) => {
    const judged = spawnSync('retrylab', ['run', scenario, '--', process.execPath, 'pay-once.js'],
      { encoding: 'utf8' });
    if (judged.status === 5) return t.skip('the machine was too busy to judge by');
    assert.strictEqual(judged.status, 0, judged.stdout + judged.stderr);
  });
}
