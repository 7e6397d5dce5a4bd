// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <unordered_map>

#include "server/verify/rules/all.h"
#include "server/verify/rules/keys.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  std::unordered_map<std::string_view, const AttemptEvidence*> first_use;
  for (const OperationEvidence& operation : evidence.operations) {
    if (operation.by == Grouping::fingerprint_and_key) continue;
    const AttemptEvidence& first = operation.first();
    if (!first.has_key || key_lifetime(evidence, first) == kForever) continue;
    const auto [used, is_new] = first_use.emplace(first.record->key, &first);
    if (is_new || !is_after_expiry(evidence, *used->second, first)) {
      tally.kept(first);
      continue;
    }
    tally.broke(*used->second, first, std::nullopt, [&, used = used] {
      return Finding{"a new key for a new operation",
                     fmt::format("{} uses the key of {} again, which had expired",
                                 name_of(evidence, first), name_of(evidence, *used->second)),
                     "Never use a key twice: after its expiry nothing protects either operation."};
    });
  }
  return tally.result(
      {.expected = "no key used again after its expiry", .none = "no route's keys expire"});
}

}  // namespace

constinit const Rule kId10{.id = "ID-10",
                           .statement = "A key is not used for a new operation after it expired",
                           .source = "draft-ietf-httpapi-idempotency-key-header §2.3",
                           .parameters = "route.idempotency.ttl",
                           .decision =
                               "Fails when another operation of the same run has the key of one "
                               "that began longer ago than the ttl.",
                           .judge = judge};

}  // namespace retrylab::verify::rules
