// SPDX-License-Identifier: MIT
#include "server/verify/rules/all.h"
#include "server/verify/rules/asked_waits.h"
#include "server/verify/rules/waits.h"

namespace retrylab::verify::rules {
namespace {

RuleResult judge(const Evidence& evidence) {
  return judge_unusable(
      evidence,
      {.none = "no answer named a date in the past",
       .advice = "Take a date in the past for a wait of zero: never compute a negative wait."},
      [](const AttemptEvidence& attempt) {
        return attempt.asked.past && is_retry_status(attempt.seen.status) &&
               date_form(attempt) != DateFormat::rfc850;
      });
}

}  // namespace

constinit const Rule kRa6{
    .id = "RA-6",
    .statement = "A Retry-After date in the past means now, or the client's own backoff",
    .source = "RFC 9110 §10.2.3",
    .parameters = "backoff",
    .decision =
        "Fails when the client hangs or gives up, or comes later than its own backoff "
        "explains (a minute, where that is not declared).",
    .judge = judge};

}  // namespace retrylab::verify::rules
