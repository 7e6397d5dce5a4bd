// SPDX-License-Identifier: MIT
// Expectations that no client can meet, since one rules the other out.
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

std::uint64_t least(const std::optional<CountRange>& range) {
  return range && range->min ? *range->min : 0;
}

std::optional<std::uint64_t> most(const std::optional<CountRange>& range) {
  return range ? range->max : std::nullopt;
}

// Every attempt makes one resource at most.
void check_created(const Node& created, const Expect& expect, Mistakes& mistakes) {
  const auto attempts = most(expect.attempts);
  if (!attempts) return;
  for (const auto& [kind, range] : expect.created) {
    if (least(range) <= *attempts) continue;
    mistakes.add(created, fmt::format("\"attempts\" allows {}, which cannot create {} {}",
                                      *attempts, least(range), kind));
  }
}

void check_concurrency(const Node& concurrency, const Expect& expect, Mistakes& mistakes) {
  if (expect.hedging_delay && most(expect.concurrency).value_or(2) < 2) {
    mistakes.add(concurrency, "\"hedging_delay\" lets attempts overlap, this forbids it");
  }
}

void check_traffic(const Node& traffic, const Expect& expect, Mistakes& mistakes) {
  if (most(expect.traffic).value_or(1) > 0) return;
  const auto contradicts = [&](std::string_view member, std::uint64_t count) {
    if (count > 0) mistakes.add(traffic, fmt::format("no traffic, but {} {}", count, member));
  };
  contradicts("\"attempts\"", least(expect.attempts));
  contradicts("\"operations\"", least(expect.operations));
}

void check_attempt_timeout(const Node& timeout, const Expect& expect, Mistakes& mistakes) {
  const bool is_longer = expect.total_time && expect.total_time->max &&
                         *expect.attempt_timeout > *expect.total_time->max;
  if (is_longer) mistakes.add(timeout, "one attempt may take longer than \"total_time\" in all");
}

}  // namespace

void check_expect(ObjectReader& reader, const Expect& expect, Mistakes& mistakes) {
  if (const Node* node = reader.optional("created")) check_created(*node, expect, mistakes);
  if (const Node* node = reader.optional("concurrency")) check_concurrency(*node, expect, mistakes);
  if (const Node* node = reader.optional("traffic")) check_traffic(*node, expect, mistakes);
  if (const Node* node = reader.optional("attempt_timeout"); node && expect.attempt_timeout) {
    check_attempt_timeout(*node, expect, mistakes);
  }
}

}  // namespace retrylab::scenario::decode
