// SPDX-License-Identifier: MIT
#include "server/verify/rules/all.h"
#include "server/verify/rules/asked_waits.h"
#include "server/verify/rules/waits.h"

namespace retrylab::verify::rules {
namespace {

RuleResult judge(const Evidence& evidence) {
  return judge_minimum_waits(
      evidence, "no answer named a date of an obsolete form", [](const AttemptEvidence& attempt) {
        return attempt.asked.kind == RetryAfter::Kind::date && asks_to_wait(attempt) &&
               date_form(attempt) != DateFormat::imf;
      });
}

}  // namespace

constinit const Rule kRa4{
    .id = "RA-4",
    .statement = "The two obsolete date forms of Retry-After are understood",
    .source = "RFC 9110 §5.6.7: recipients MUST accept all three",
    .parameters = "retry_after; profile: what it does with long waits",
    .decision =
        "As RA-3: a client that does not understand the date follows its own backoff and "
        "comes too early.",
    .judge = judge};

}  // namespace retrylab::verify::rules
