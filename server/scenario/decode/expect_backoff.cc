// SPDX-License-Identifier: MIT
// "backoff": the waits a client declares. "retry_after": what it does with the server's word.
#include <array>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {

std::optional<ExpectBackoff> read_expect_backoff(const Node& node, Mistakes& mistakes) {
  constexpr std::array<Word<bool>, 2> kCeilings{{{"base", false}, {"double", true}}};
  const std::span<const Word<bool>> ceilings = kCeilings;
  ExpectBackoff backoff;
  ObjectReader reader(node, "\"backoff\"", mistakes);
  reader.optional("base", backoff.base, json::read_wait);
  reader.optional("factor", backoff.factor_thousandths, json::read_thousandths);
  reader.optional("cap", backoff.cap, json::read_wait);
  reader.optional("jitter", backoff.jitter, json::one_of(jitter_words()));
  reader.optional("first_ceiling", backoff.first_ceiling_doubled, json::one_of(ceilings));
  if (const Node* factor = reader.optional("factor"); backoff.factor_thousandths < 1'000) {
    mistakes.add(*factor, "a factor below 1 makes every wait shorter than the one before");
  }
  if (backoff.base && backoff.cap && *backoff.cap < *backoff.base) {
    mistakes.add(*reader.optional("cap"), "\"cap\" is below \"base\"");
  }
  return backoff;
}

std::optional<ExpectRetryAfter> read_expect_retry_after(const Node& node, Mistakes& mistakes) {
  using Kind = ExpectRetryAfter::Kind;
  constexpr std::array<Word<Kind>, 2> kWords{{{"honoured", Kind::honoured}, {"any", Kind::any}}};
  const std::span<const Word<Kind>> words = kWords;
  ExpectRetryAfter expect;
  if (node.kind != Node::Kind::object) {
    const auto kind = json::one_of(words)(node, mistakes);
    expect.kind = kind.value_or(Kind::honoured);
    return expect;
  }
  ObjectReader reader(node, "\"retry_after\"", mistakes);
  reader.optional("clamp", expect.clamp, json::read_wait);
  reader.optional("late", expect.late, json::read_duration);
  if (reader.optional("clamp") != nullptr) expect.kind = Kind::clamp;
  if (node.members.empty()) {
    mistakes.add(node, "\"retry_after\" needs \"clamp\", \"late\" or both");
  }
  return expect;
}

}  // namespace retrylab::scenario::decode
