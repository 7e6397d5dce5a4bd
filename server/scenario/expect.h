// SPDX-License-Identifier: MIT
// What a right client does: the `expect` member of a scenario, as values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client_lib/base/ratio.h"
#include "client_lib/base/time.h"

namespace retrylab::scenario {

struct CountRange {
  std::optional<std::uint64_t> min;
  std::optional<std::uint64_t> max;
};

struct TimeRange {
  std::optional<Duration> min;
  std::optional<Duration> max;
};

enum class Jitter { none, full, equal, decorrelated, any };

// "backoff": {"base": "250ms", "factor": 2, "cap": "8s", "jitter": "full"}
struct ExpectBackoff {
  std::optional<Duration> base;
  std::int64_t factor_thousandths = 2000;
  std::optional<Duration> cap;
  Jitter jitter = Jitter::any;
  bool first_ceiling_doubled = false;  // "first_ceiling": "double"
};

// "retry_after": "honoured", "any", {"clamp": "10s"}, with "late": how late is still fine
struct ExpectRetryAfter {
  enum class Kind { honoured, clamp, any };
  Kind kind = Kind::honoured;
  Duration clamp{0};
  std::optional<Duration> late;
};

struct ExpectNeverRetry {
  std::vector<int> statuses;  // in addition to RULES CLS-2's
  std::vector<int> except;    // taken out of it
};

struct ExpectKey {
  std::optional<bool> stable;
  std::optional<bool> unique;
};

// "requests": a statement about the k-th attempt of an operation (1-based; 0: every attempt).
struct ExpectRequest {
  std::uint32_t attempt = 0;
  std::string route;   // "" : any; else the route's `on` text
  std::string header;  // header the statement is about; "" : the body
  std::optional<std::string> equals;
  bool absent = false;
  std::optional<CountRange> count;  // how many headers of that name
};

struct ExpectClient {
  enum class Outcome { succeeds, fails, any };
  Outcome outcome = Outcome::succeeds;
  std::optional<Duration> within;  // after the last answer
  std::optional<std::string> body_sha256;
};

// "budget": {"ratio": 0.2, "per_second": 10, "window": "10s", "burst": 0}: within any window at
// most ratio * first attempts + per_second * window + burst retries.
struct ExpectBudget {
  Ratio ratio{1, 5};
  std::uint64_t per_second = 0;
  Duration window{std::chrono::seconds(10)};
  std::uint64_t burst = 0;
};

// "silence": {"after": 5, "for": "5s", "probes": 1}: a breaker that opens after so many failures
// in a row, stays open that long, and then lets so many probes through at once.
struct ExpectSilence {
  std::uint64_t after = 5;
  Duration lasts{std::chrono::seconds(5)};
  std::uint64_t probes = 1;
};

// "throttle": {"ratio": 2, "window": "2m"}: a client that throttles itself sends at most so many
// times as many attempts as were accepted lately.
struct ExpectThrottle {
  Ratio ratio{2, 1};
  Duration window{std::chrono::minutes(2)};
};

// "herd": {"peak": 3}: after an outage no 100 ms get more than so many times the mean of the
// following ten seconds.
struct ExpectHerd {
  std::optional<Ratio> peak;
};

struct Expect {
  std::string profile;                 // "" : careful
  std::optional<CountRange> attempts;  // per operation
  std::optional<CountRange> operations;
  std::map<std::string, CountRange> created;  // per kind, whole run and per operation
  std::optional<ExpectBackoff> backoff;
  ExpectRetryAfter retry_after;
  std::optional<TimeRange> total_time;  // first byte of first to end of last
  ExpectNeverRetry never_retry;
  ExpectKey idempotency_key;
  std::optional<int> last_status;
  std::map<std::string, CountRange> routes;  // key: the route's `on` text
  std::vector<ExpectRequest> requests;
  ExpectClient client;
  std::optional<CountRange> connections;
  std::optional<CountRange> concurrency;
  std::optional<CountRange> unmatched;      // default: none
  std::optional<CountRange> traffic;        // default: at least one attempt
  std::optional<Duration> attempt_timeout;  // a silent server is given up within that
  std::optional<Duration> hedging_delay;    // attempts may overlap, so far apart
  std::optional<Ratio> amplification;       // attempts per operation over a run, at most
  std::optional<ExpectBudget> budget;
  std::optional<ExpectSilence> silence;
  std::optional<ExpectThrottle> throttle;
  std::optional<ExpectHerd> herd;
  std::vector<std::string> disabled_rules;  // "rules": {"RA-2": "off"}
};

}  // namespace retrylab::scenario
