// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/keys.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

void judge_chain(const Evidence& evidence, const Chain& chain, Tally& tally) {
  const AttemptEvidence* first = first_with_own_key(chain);
  if (first == nullptr) return;
  for (const AttemptEvidence& attempt : chain.attempts) {
    if (attempt.number <= first->number || attempt.print.key == first->print.key) continue;
    if (!needs_key(evidence, attempt)) continue;  // a redirect leads away from the store
    return tally.broke(*first, attempt, std::nullopt, [&] {
      const std::string& key = attempt.record->key;
      return Finding{fmt::format("the key {} on every attempt", first->record->key.str()),
                     key.empty()
                         ? fmt::format("{} had no key", name_of(evidence, attempt))
                         : fmt::format("{} had the key {}, {} had {}", name_of(evidence, attempt),
                                       key, name_of(evidence, *first), first->record->key.str()),
                     "Make the key once per operation, before the first attempt, and send the "
                     "same bytes every time."};
    });
  }
  if (chain.attempts.size() > 1) tally.kept(*first);
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  if (evidence.scenario.expect.idempotency_key.stable == false) {
    return tally.result({.none = "idempotency_key.stable is false"});
  }
  for (const OperationEvidence& operation : evidence.operations) {
    if (operation.by == Grouping::fingerprint_and_key) continue;
    for (const Chain& chain : operation.chains) judge_chain(evidence, chain, tally);
  }
  return tally.result({.expected = "one key per operation, byte for byte the same",
                       .none = "no operation with a key had a second attempt"});
}

}  // namespace

constinit const Rule kId3{
    .id = "ID-3",
    .statement = "The idempotency key is the same on every attempt of an operation",
    .source = "draft-ietf-httpapi-idempotency-key-header §2.2",
    .parameters = "idempotency_key.stable",
    .decision =
        "Fails when a later attempt has another key or none. Never judged where the key was needed "
        "to tell operations apart.",
    .judge = judge};

}  // namespace retrylab::verify::rules
