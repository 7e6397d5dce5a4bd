// SPDX-License-Identifier: MIT
#include "server/verify/rules/all.h"
#include "server/verify/rules/asked_waits.h"
#include "server/verify/rules/waits.h"

namespace retrylab::verify::rules {
namespace {

RuleResult judge(const Evidence& evidence) {
  return judge_minimum_waits(
      evidence, "no answer named a date of the usual form", [](const AttemptEvidence& attempt) {
        return attempt.asked.kind == RetryAfter::Kind::date && asks_to_wait(attempt) &&
               date_form(attempt) == DateFormat::imf;
      });
}

}  // namespace

constinit const Rule kRa3{
    .id = "RA-3",
    .statement = "A Retry-After date is waited for",
    .source = "RFC 9110 §10.2.3, §5.6.7",
    .parameters = "retry_after; profile: what it does with long waits",
    .decision =
        "Fails when an attempt arrives more than 20 ms before the date. Inconclusive when "
        "the client is on another host, whose clock is not known.",
    .judge = judge};

}  // namespace retrylab::verify::rules
