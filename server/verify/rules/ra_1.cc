// SPDX-License-Identifier: MIT
#include "server/verify/rules/all.h"
#include "server/verify/rules/asked_waits.h"
#include "server/verify/rules/waits.h"

namespace retrylab::verify::rules {
namespace {

RuleResult judge(const Evidence& evidence) {
  return judge_minimum_waits(
      evidence, "no answer asked in seconds for a wait", [](const AttemptEvidence& attempt) {
        return attempt.asked.kind == RetryAfter::Kind::seconds && asks_to_wait(attempt);
      });
}

}  // namespace

constinit const Rule kRa1{
    .id = "RA-1",
    .statement = "A Retry-After in seconds is waited out",
    .source = "RFC 9110 §10.2.3",
    .parameters = "retry_after; profile: what it does with long waits",
    .decision =
        "Fails when an attempt comes more than 20 ms too early, measured from before the "
        "answer was written; 2 ms to 20 ms are advice. What the host does cannot make a "
        "wait shorter.",
    .judge = judge};

}  // namespace retrylab::verify::rules
