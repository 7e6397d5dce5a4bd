// SPDX-License-Identifier: MIT
// Policies of well-known clients, as their sources describe them. docs/client.md compares them.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "client_lib/retry/policy.h"

namespace retrylab {

// 5 attempts, 250 ms to 8 s, factor 2, full jitter, honour_or_fail, 30 s in all. The default.
// Breaks no rule of docs/rules.md.
Policy careful();

// AWS SDKs, retry mode "standard" before November 2026: 3 attempts, U(0,1) * min(2^i s, 20 s), a
// quota of 500 with 5 per retry and 10 per timeout, x-amz-retry-after up to the cap. Every
// method. Source: AWS SDKs and Tools Reference Guide, "Retry behavior"; botocore retries/standard.
Policy aws_standard_2_0();

// The same after it: 50 ms scale for failures and 1 s for throttling, 14 and 5 per retry,
// x-amz-retry-after clamped to [own backoff, own backoff + 5 s].
Policy aws_standard_2_1();

// gRFC A6: 4 attempts, 100 ms to 1 s * U(0.8, 1.2), grpc-retry-pushback-ms, throttling with 10
// tokens and a ratio of 0.1. The HTTP statuses are those that map to UNAVAILABLE.
Policy grpc();

// Envoy, retry_on: 5xx: 1 retry, U(0, min(25 ms * 2^n, 250 ms)), 15 s for the route, at most
// 20 % of the active requests retrying, or 3. Source: Envoy's router filter and circuit breakers.
Policy envoy();

// Site Reliability Engineering, chapters 21 and 22: 3 attempts, randomised exponential backoff
// (the book gives no numbers: those of `careful`), retries below 10 % of all requests over two
// minutes.
Policy google_sre();

// Budgets for a policy of one's own: 10 % of all requests over two minutes (Google SRE), and 20 %
// of the first tries plus 10 per second over ten seconds (Finagle, Linkerd).
RetryWindowPolicy budget_10_percent();
RetryWindowPolicy budget_20_percent();

// The policies above by name, with "-" or "." for "_" too; nothing for an unknown one.
std::optional<Policy> find_preset(std::string_view spelling);
std::span<const std::string_view> preset_names();

}  // namespace retrylab
