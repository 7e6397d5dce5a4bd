// SPDX-License-Identifier: MIT
#include "server/verify/rules/all.h"
#include "server/verify/rules/unprotected.h"

namespace retrylab::verify::rules {
namespace {

bool is_refusal(const AttemptEvidence& attempt) {
  return attempt.seen.status == 429 || attempt.seen.status == 503;
}

RuleResult judge(const Evidence& evidence) {
  return judge_unprotected(
      evidence,
      {.expected = "no repeat of a POST without a key, not even after 429 or 503",
       .none = "no POST or PATCH without a key got 429 or 503",
       .advice = "Send an idempotency key with every POST that is retried; a 503 may come from a "
                 "gateway after the work was done."},
      is_refusal);
}

}  // namespace

constinit const Rule kId2{
    .id = "ID-2",
    .statement = "A POST or PATCH without a key is not repeated after 429 or 503",
    .source = "RFC 9110 §9.2.2",
    .parameters = "profile; route.idempotency: without a store a key protects nothing",
    .decision =
        "Fails on one repeat. A pragmatic profile turns it off: a 429 or 503 usually means that "
        "nothing was done.",
    .judge = judge};

}  // namespace retrylab::verify::rules
