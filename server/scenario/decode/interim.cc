// SPDX-License-Identifier: MIT
// "interim": [103, {"status": 102, "after": "1s", "headers": {...}}], and
// "continue": "at_once" | "withheld" | {"after": "2s"}: answers before the answer.
#include <array>
#include <utility>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

// RFC 9110 §15.2.2: after a 101 the connection would speak another protocol.
std::optional<int> read_interim_status(const Node& node, Mistakes& mistakes) {
  const bool is_number = node.kind == Node::Kind::number;
  const bool switches = is_number && node.text == "101";
  if (is_number && !switches && node.text.size() == 3 && node.text[0] == '1') {
    return json::integer<int>(100, 199)(node, mistakes);
  }
  json::expected(node, "an interim status: 100, 102 to 199", mistakes);
  return std::nullopt;
}

Interim read_one(const Node& node, Mistakes& mistakes) {
  Interim interim;
  if (node.kind != Node::Kind::object) {
    interim.status = read_interim_status(node, mistakes).value_or(interim.status);
    return interim;
  }
  ObjectReader reader(node, "an interim answer", mistakes);
  reader.required("status", interim.status, read_interim_status);
  reader.optional("headers", interim.headers, read_headers);
  reader.optional("after", interim.after, json::read_duration);
  return interim;
}

}  // namespace

std::optional<std::vector<Interim>> read_interim(const Node& node, Mistakes& mistakes) {
  const auto* items = json::read_list(node, 1, "interim answer", mistakes);
  if (items == nullptr) return std::nullopt;
  std::vector<Interim> all;
  for (const Node& item : *items) {
    Interim interim = read_one(item, mistakes);
    if (!all.empty() && interim.after < all.back().after) {
      mistakes.add(item, "out of order: this interim answer comes before the one above");
    }
    all.push_back(std::move(interim));
  }
  return all;
}

std::optional<Continue> read_continue(const Node& node, Mistakes& mistakes) {
  Continue result;
  if (node.kind == Node::Kind::object) {
    ObjectReader reader(node, "\"continue\"", mistakes);
    reader.required("after", result.after, json::read_wait);
    return result;
  }
  constexpr std::array<Word<bool>, 2> kWords{{{"at_once", false}, {"withheld", true}}};
  const std::span<const Word<bool>> words = kWords;
  const auto withheld = json::one_of(words)(node, mistakes);
  if (!withheld) return std::nullopt;
  result.withheld = *withheld;
  return result;
}

}  // namespace retrylab::scenario::decode
