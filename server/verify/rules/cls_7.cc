// SPDX-License-Identifier: MIT
#include "server/verify/rules/all.h"
#include "server/verify/rules/asked_waits.h"
#include "server/verify/rules/waits.h"

namespace retrylab::verify::rules {
namespace {

RuleResult judge(const Evidence& evidence) {
  return judge_minimum_waits(
      evidence, "no 413 asked for a wait", [](const AttemptEvidence& attempt) {
        return attempt.seen.status == 413 && attempt.asked.valid() && !attempt.asked.past;
      });
}

}  // namespace

constinit const Rule kCls7{.id = "CLS-7",
                           .statement = "After a 413 with Retry-After a repeat waits that long",
                           .source = "RFC 9110 §15.5.14",
                           .parameters = "retry_after",
                           .decision = "As RA-1. Not repeating is right too.",
                           .judge = judge};

}  // namespace retrylab::verify::rules
