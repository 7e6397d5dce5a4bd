// SPDX-License-Identifier: MIT
// One payment, for retrylab: node pay-once.js
import { pay } from './pay.js';

process.exitCode = await pay(`${process.env.RETRYLAB_URL}/v1/payments`, 5) === 201 ? 0 : 1;
