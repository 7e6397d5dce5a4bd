// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/unprotected.h"

namespace retrylab::verify::rules {
namespace {

// The client cannot know whether the request took effect: it was read whole, and then the answer
// was lost, cut, late, or a gateway's.
bool is_ambiguous(const AttemptEvidence& attempt) {
  if (!attempt.body_was_read) return false;
  switch (attempt.seen.kind) {
    case Seen::Kind::answered:
      return attempt.seen.status == 502 || attempt.seen.status == 504;
    case Seen::Kind::truncated:
      return attempt.seen.status == 0 || attempt.seen.status / 100 == 2;
    case Seen::Kind::left:
      return attempt.seen.status / 100 != 4;
    case Seen::Kind::reset:
    case Seen::Kind::closed:
    case Seen::Kind::malformed:
      return true;
    case Seen::Kind::nothing:
      break;
  }
  return false;
}

RuleResult judge(const Evidence& evidence) {
  return judge_unprotected(
      evidence,
      {.expected = "no repeat of a POST without a key when it may have been executed",
       .none = "no POST or PATCH without a key ended in doubt",
       .advice = "Send an idempotency key that the server keeps, or give up: it may have been "
                 "executed."},
      is_ambiguous);
}

}  // namespace

constinit const Rule kId1{
    .id = "ID-1",
    .statement = "A POST or PATCH without a key is not repeated when it may have been executed",
    .source = "RFC 9110 §9.2.2; draft-ietf-httpapi-idempotency-key-header",
    .parameters = "route.idempotency: without a store a key protects nothing",
    .decision =
        "Fails on one repeat after a reset, a close, a cut-off 2xx, a timeout, 502 or 504, when "
        "the request had been read whole.",
    .judge = judge};

}  // namespace retrylab::verify::rules
