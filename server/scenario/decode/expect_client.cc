// SPDX-License-Identifier: MIT
// "client": "succeeds" | "fails" | "any", or {"outcome", "within", "body_sha256"}.
#include <algorithm>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

std::optional<std::string> read_sha256(const Node& node, Mistakes& mistakes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const bool is_hash = node.kind == Node::Kind::string && node.text.size() == 64 &&
                       node.text.find_first_not_of(kDigits) == std::string::npos;
  if (is_hash) return node.text;
  json::expected(node, "64 lower-case hexadecimal digits", mistakes);
  return std::nullopt;
}

}  // namespace

std::optional<ExpectClient> read_expect_client(const Node& node, Mistakes& mistakes) {
  ExpectClient client;
  if (node.kind != Node::Kind::object) {
    const auto outcome = json::one_of(outcome_words())(node, mistakes);
    client.outcome = outcome.value_or(ExpectClient::Outcome::any);
    return client;
  }
  ObjectReader reader(node, "\"client\"", mistakes);
  reader.optional("outcome", client.outcome, json::one_of(outcome_words()));
  reader.optional("within", client.within, json::read_wait);
  reader.optional("body_sha256", client.body_sha256, read_sha256);
  const Node* hash = reader.optional("body_sha256");
  if (hash != nullptr && client.outcome == ExpectClient::Outcome::fails) {
    mistakes.add(*hash, "a client that fails has no body to compare");
  }
  return client;
}

}  // namespace retrylab::scenario::decode
