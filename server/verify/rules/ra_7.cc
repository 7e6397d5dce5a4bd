// SPDX-License-Identifier: MIT
#include "server/verify/rules/all.h"
#include "server/verify/rules/asked_waits.h"
#include "server/verify/rules/waits.h"

namespace retrylab::verify::rules {
namespace {

RuleResult judge(const Evidence& evidence) {
  return judge_unusable(
      evidence,
      {.none = "no answer had an unreadable Retry-After",
       .advice = "Ignore a Retry-After that is neither digits nor a date, and back off as if it "
                 "were not there.",
       .needs_backoff = true},
      [](const AttemptEvidence& attempt) {
        return attempt.asked.kind == RetryAfter::Kind::invalid &&
               is_retry_status(attempt.seen.status);
      });
}

}  // namespace

constinit const Rule kRa7{
    .id = "RA-7",
    .statement = "An unreadable Retry-After is ignored: the client backs off by itself",
    .source = "RFC 9110 §10.2.3 (grammar), §5.3 (two lines)",
    .parameters = "backoff",
    .decision =
        "Fails when the client hangs or gives up, comes later than its own backoff "
        "explains, or, where that is declared, earlier.",
    .judge = judge};

}  // namespace retrylab::verify::rules
