// SPDX-License-Identifier: MIT
#include "server/verify/rules/all.h"
#include "server/verify/rules/asked_waits.h"
#include "server/verify/rules/waits.h"

namespace retrylab::verify::rules {
namespace {

RuleResult judge(const Evidence& evidence) {
  return judge_unusable(
      evidence,
      {.none = "no answer named a past date with a two-digit year",
       .advice = "A two-digit year more than 50 years ahead is of the century before: the date is "
                 "past, so go on by the own backoff."},
      [](const AttemptEvidence& attempt) {
        return attempt.asked.past && is_retry_status(attempt.seen.status) &&
               date_form(attempt) == DateFormat::rfc850;
      });
}

}  // namespace

constinit const Rule kRa5{
    .id = "RA-5",
    .statement = "A two-digit year far ahead is read as a past one, and does not stop the client",
    .source = "RFC 9110 §5.6.7",
    .parameters = "backoff",
    .decision =
        "Fails when nothing follows, or later than the client's own backoff explains (a "
        "minute, where that is not declared).",
    .judge = judge};

}  // namespace retrylab::verify::rules
