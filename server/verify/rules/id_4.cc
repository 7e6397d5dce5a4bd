// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/verify/rules/all.h"
#include "server/verify/rules/keys.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// The attempts that came first with their keys, and which of them has which.
struct FirstUse {
  std::vector<const AttemptEvidence*> attempts;
  std::unordered_map<std::uint64_t, const AttemptEvidence*> by_key;
};

// Routes keep their keys apart, and so do runs; a right client's keys differ all the same.
void judge_operation(const Evidence& evidence, const OperationEvidence& operation,
                     FirstUse& first_use, Tally& tally) {
  for (const Chain& chain : operation.chains) {
    const AttemptEvidence* first = first_with_own_key(chain);
    if (first == nullptr) continue;
    const auto [used, is_new] = first_use.by_key.emplace(first->print.key, first);
    if (is_new) {
      first_use.attempts.push_back(first);
      tally.kept(*first);
      continue;
    }
    const AttemptEvidence& other = *used->second;
    // Keys are found by their hash.
    if (other.record->key != first->record->key) {
      first_use.attempts.push_back(first);
      tally.kept(*first);
      continue;
    }
    if (is_after_expiry(evidence, other, *first)) continue;  // ID-10
    tally.broke(other, *first, std::nullopt, [&] {
      return Finding{
          "a new key for each operation",
          fmt::format("{} and {} are different operations with the same key {}",
                      name_of(evidence, other), name_of(evidence, *first), first->record->key),
          "Make a random key (UUIDv4) for each operation."};
    });
  }
}

// Few bits, or one counter: someone else's operation may get the same key.
void judge_shape(const FirstUse& first_use, Tally& tally) {
  std::vector<std::string_view> keys;
  for (const AttemptEvidence* first : first_use.attempts) keys.push_back(first->record->key);
  const bool counts = are_sequential(keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string_view key = keys[i];
    const int bits = apparent_bits(key);
    if (bits >= 64 && !counts) continue;
    const AttemptEvidence& attempt = *first_use.attempts[i];
    tally.advise(attempt, attempt, std::nullopt, [&] {
      return Finding{"a key that nobody else makes",
                     counts ? fmt::format("the keys count up, as {} does", key)
                            : fmt::format("the key {} has about {} bits", key, bits),
                     "Make a random key (UUIDv4) for each operation."};
    });
  }
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  if (evidence.scenario.expect.idempotency_key.unique == false) {
    return tally.result({.none = "idempotency_key.unique is false"});
  }
  FirstUse first_use;
  std::size_t judged = 0;
  for (const OperationEvidence& operation : evidence.operations) {
    if (operation.by == Grouping::fingerprint_and_key) continue;
    judge_operation(evidence, operation, first_use, tally);
    ++judged;
  }
  judge_shape(first_use, tally);
  RuleResult result =
      tally.result({.expected = "a new key for each operation", .none = "no operation had a key"});
  if (result.status == Status::pass && judged < 2) {
    result.status = Status::not_applicable;
    result.observed = "had 1 operation, needs 2: --repeat 2";
  }
  return result;
}

}  // namespace

constinit const Rule kId4{
    .id = "ID-4",
    .statement = "Each operation has a key of its own",
    .source = "draft-ietf-httpapi-idempotency-key-header §2.2",
    .parameters = "idempotency_key.unique",
    .decision =
        "Fails on two operations with one key. Keys that count up, or have fewer than 64 apparent "
        "bits, are advice. Never judged where the key was needed to tell operations apart.",
    .judge = judge};

}  // namespace retrylab::verify::rules
