// SPDX-License-Identifier: MIT
// axios with axios-retry and its exponentialDelay; POST only where the server keeps keys.
import axios from 'axios';
import axiosRetry from 'axios-retry';
import { answered, body, failed, headers, key, method, timeout, url } from './contract.mjs';

axiosRetry(axios, {
  retries: 3, retryDelay: axiosRetry.exponentialDelay, shouldResetTimeout: true,
  ...(key && { retryCondition: axiosRetry.isRetryableError }),
});
await axios.request({ method, url, headers, data: body, timeout })
  .then((answer) => answered(answer.status), failed);
