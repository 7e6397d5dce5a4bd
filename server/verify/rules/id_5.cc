// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

std::string difference(const AttemptEvidence& first, const AttemptEvidence& other) {
  if (first.record->method != other.record->method) {
    return fmt::format("the method changed from {} to {}", first.record->method.str(),
                       other.record->method.str());
  }
  if (first.record->target != other.record->target) {
    return fmt::format("the target changed from {} to {}", first.record->target.str(),
                       other.record->target.str());
  }
  return fmt::format("the body changed ({} bytes, then {})", first.record->body_bytes,
                     other.record->body_bytes);
}

bool differs(const AttemptEvidence& first, const AttemptEvidence& other) {
  const bool is_other_body =
      first.print.body != 0 && other.print.body != 0 && first.print.body != other.print.body;
  return first.print.request != other.print.request || is_other_body;
}

// What a redirect changes is not the client's doing.
bool was_redirected(const Chain& chain) {
  for (const AttemptEvidence& attempt : chain.attempts) {
    if (attempt.seen.status / 100 == 3) return true;
  }
  return false;
}

void judge_chain(const Evidence& evidence, const Chain& chain, Tally& tally) {
  const AttemptEvidence& first = chain.first();
  if (!first.has_key || chain.attempts.size() < 2 || was_redirected(chain)) return;
  for (const AttemptEvidence& attempt : chain.attempts) {
    if (attempt.print.key != first.print.key || !differs(first, attempt)) continue;
    return tally.broke(first, attempt, std::nullopt, [&] {
      return Finding{
          fmt::format("the same request as {}", name_of(evidence, first)),
          fmt::format("in {} {}", name_of(evidence, attempt), difference(first, attempt)),
          "Build the request once and send the same bytes on every attempt; keep the "
          "body where it can be read again."};
    });
  }
  tally.kept(first);
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  for (const Chain& chain : evidence.chains) judge_chain(evidence, chain, tally);
  return tally.result({.expected = "the same method, target and body under one key",
                       .none = "no operation with a key had a second attempt"});
}

}  // namespace

constinit const Rule kId5{
    .id = "ID-5",
    .statement = "Under one key the request stays the same: method, target and body",
    .source = "draft-ietf-httpapi-idempotency-key-header §2.2, §2.7 (422)",
    .parameters = "",
    .decision =
        "Fails when a later attempt with the key of the first differs. A body that was never read "
        "whole is not compared.",
    .judge = judge};

}  // namespace retrylab::verify::rules
