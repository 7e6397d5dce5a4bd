// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <unordered_map>

#include "server/verify/rules/all.h"
#include "server/verify/rules/keys.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

bool needs_a_key(const AttemptEvidence& attempt) {
  return attempt.record->route_has_store && !is_idempotent_method(attempt.record->method);
}

void judge_stable(const Evidence& evidence, const Chain& chain, Tally& tally) {
  const AttemptEvidence& first = chain.first();
  for (const AttemptEvidence& attempt : chain.attempts) {
    if (!needs_a_key(attempt)) return;
    const std::string& key = attempt.record->key;
    if (!key.empty() && key == first.record->key) continue;
    return tally.broke(first, attempt, std::nullopt, [&] {
      return Finding{"the same key on every attempt",
                     key.empty()
                         ? fmt::format("{} had no key", name_of(evidence, attempt))
                         : fmt::format("{} had another key than {}", name_of(evidence, attempt),
                                       name_of(evidence, first)),
                     "Make the key once per operation, before the first attempt."};
    });
  }
  tally.kept(first);
}

void judge_unique(const Evidence& evidence, Tally& tally) {
  std::unordered_map<std::string_view, const AttemptEvidence*> first_use;
  for (const OperationEvidence& operation : evidence.operations) {
    const AttemptEvidence& first = operation.first();
    if (first.record->key.empty()) continue;
    const auto [used, is_new] = first_use.emplace(first.record->key, &first);
    if (is_new) {
      tally.kept(first);
      continue;
    }
    tally.broke(*used->second, first, std::nullopt, [&, used = used] {
      return Finding{"a new key for each operation",
                     fmt::format("{} has the key of {}", name_of(evidence, first),
                                 name_of(evidence, *used->second)),
                     "Make a random key for each operation."};
    });
  }
}

RuleResult judge(const Evidence& evidence) {
  const scenario::ExpectKey& expect = evidence.scenario.expect.idempotency_key;
  const bool is_stable = expect.stable.value_or(false);
  const bool is_unique = expect.unique.value_or(false);
  if (!is_stable && !is_unique) return not_declared();
  Tally tally(evidence);
  if (is_stable && evidence.grouping != Grouping::fingerprint_and_key) {
    for (const Chain& chain : evidence.chains) {
      if (needs_a_key(chain.first())) judge_stable(evidence, chain, tally);
    }
  }
  if (is_unique) judge_unique(evidence, tally);
  return tally.result({.expected = is_stable ? "a key that stays the same" : "a key of its own",
                       .none = "no request needed a key"});
}

}  // namespace

constinit const Rule kIdempotencyKey{
    .id = "idempotency_key",
    .statement = "The idempotency key is as declared",
    .parameters = "idempotency_key: stable, unique",
    .decision =
        "stable: every POST or PATCH to a route with a store has a key, the same throughout its "
        "operation. unique: no two operations share one.",
    .judge = judge};

}  // namespace retrylab::verify::rules
