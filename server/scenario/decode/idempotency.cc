// SPDX-License-Identifier: MIT
// "idempotency": the store of answers by key, after the IETF draft, with vendor switches.
#include <array>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {

std::optional<Idempotency> read_idempotency(const Node& node, Mistakes& mistakes) {
  constexpr std::array<Word<bool>, 2> kSyntax{{{"strict", true}, {"lenient", false}}};
  const std::span<const Word<bool>> syntax = kSyntax;
  Idempotency store;
  ObjectReader reader(node, "\"idempotency\"", mistakes);
  reader.optional("header", store.header, json::read_header_name);
  reader.optional("required", store.required, json::read_boolean);
  reader.optional("syntax", store.strict_syntax, json::one_of(syntax));
  reader.optional("in_flight", store.in_flight, json::one_of(in_flight_words()));
  reader.optional("store", store.store, json::one_of(store_words()));
  reader.optional("ttl", store.ttl, json::read_wait);
  reader.optional("check_payload", store.check_payload, json::read_boolean);
  const Node* mark = reader.optional("replay_header");
  const bool unmarked = mark != nullptr && mark->kind == Node::Kind::string && mark->text.empty();
  if (unmarked) {
    store.replay_header = "";
  } else {
    reader.optional("replay_header", store.replay_header, json::read_header_name);
  }
  return store;
}

}  // namespace retrylab::scenario::decode
