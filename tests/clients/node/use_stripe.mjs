// SPDX-License-Identifier: MIT
// stripe with maxNetworkRetries, as its README has it; it makes its own keys.
import Stripe from 'stripe';
import { answered, base, failed, method, path, timeout } from './contract.mjs';

const { protocol, hostname: host, port } = new URL(base);
const stripe = new Stripe('sk_test_dummy', {
  protocol: protocol.replace(':', ''), host, port, timeout, maxNetworkRetries: 3, telemetry: false,
});
await stripe.rawRequest(method, path, method === 'GET' ? undefined : { amount: 5 })
  .then(() => answered(200), failed);
