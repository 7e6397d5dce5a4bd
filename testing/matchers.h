// SPDX-License-Identifier: MIT
// gMock matchers on a MockServer. Each ends the run (MockServer::verdict) and, when it does not
// match, the failure shows the run's report: the timeline, and which rule was broken by which
// attempt.
//
//   EXPECT_THAT(*server, Passed());
//   EXPECT_THAT(*server, AllOf(AttemptCount(3), CreatedExactlyOnce("payment"), KeptItsKey()));
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include <gmock/gmock.h>

#include "client_lib/base/time.h"
#include "testing/judge.h"
#include "testing/mock_server.h"

namespace retrylab::testing {

// The scenario's verdict is pass. An inconclusive one does not match: the failure says what
// spoiled the evidence.
MATCHER(Passed, "keeps every rule of its scenario") {
  const Judged judged = judge_verdict(arg);
  *result_listener << judged.why;
  return judged.holds;
}

// One resource of that kind was created in the whole run, however often the client tried.
MATCHER_P(CreatedExactlyOnce, kind, "creates exactly one " + std::string(kind)) {
  const Judged judged = judge_created_once(arg, kind);
  *result_listener << judged.why;
  return judged.holds;
}

// No attempt came before the Retry-After of the answer before it (RULES RA-1, RA-3, RA-4,
// RA-8, RA-10), and at least one answer had one.
MATCHER(HonouredRetryAfter, "never comes back before Retry-After") {
  const Judged judged = judge_retry_after(arg);
  *result_listener << judged.why;
  return judged.holds;
}

// Every wait fits exponential backoff with these numbers, whatever the jitter (RULES BO-1,
// BO-2): none above the cap, or above its own ceiling.
MATCHER_P3(BackedOffWithin, base, factor, cap, "backs off within the given ceilings") {
  const Judged judged =
      judge_backoff(arg, {.base = base, .factor = static_cast<double>(factor), .cap = cap});
  *result_listener << judged.why;
  return judged.holds;
}

// Each operation sent one idempotency key, the same with every attempt, and with the same
// method, target and body (RULES ID-3, ID-4, ID-5).
MATCHER(KeptItsKey, "keeps its idempotency key") {
  const Judged judged = judge_key(arg);
  *result_listener << judged.why;
  return judged.holds;
}

// So many attempts reached the server's routes, in the whole run.
MATCHER_P(AttemptCount, count, "makes " + std::to_string(count) + " attempts") {
  const Judged judged = judge_attempts(arg, static_cast<std::uint64_t>(count));
  *result_listener << judged.why;
  return judged.holds;
}

}  // namespace retrylab::testing
