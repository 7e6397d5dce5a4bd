// SPDX-License-Identifier: MIT
#include "server/verify/rules/all.h"
#include "server/verify/rules/asked_waits.h"
#include "server/verify/rules/waits.h"

namespace retrylab::verify::rules {
namespace {

RuleResult judge(const Evidence& evidence) {
  return judge_minimum_waits(
      evidence, "no redirect asked for a wait", [](const AttemptEvidence& attempt) {
        return attempt.seen.status / 100 == 3 && attempt.asked.valid() && !attempt.asked.past;
      });
}

}  // namespace

constinit const Rule kRa10{
    .id = "RA-10",
    .statement = "A redirect with Retry-After is followed no earlier than it says",
    .source = "RFC 9110 §10.2.3",
    .parameters = "retry_after",
    .decision = "Fails when the request to the new place comes more than 20 ms too early.",
    .judge = judge};

}  // namespace retrylab::verify::rules
