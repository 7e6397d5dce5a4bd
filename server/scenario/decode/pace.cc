// SPDX-License-Identifier: MIT
// "pace": {"bytes": 1, "every": "1s", "part": "body"}, or one for the head and one for the body.
// "chunks", "write_sizes": [1, 2, 3], the last of which repeats.
#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

constexpr std::uint64_t kPieceMax = 100'000'000;

Pace read_one(const Node& node, Mistakes& mistakes) {
  Pace pace;
  ObjectReader reader(node, "a pace", mistakes);
  reader.optional("part", pace.part, json::one_of(pace_words()));
  reader.required("bytes", pace.bytes, json::integer<std::size_t>(1, kPieceMax));
  reader.required("every", pace.every, json::read_wait);
  return pace;
}

}  // namespace

std::optional<std::vector<Pace>> read_pace(const Node& node, Mistakes& mistakes) {
  if (node.kind != Node::Kind::array) return std::vector<Pace>{read_one(node, mistakes)};
  const auto* items = json::read_list(node, 1, "pace", mistakes);
  if (items == nullptr) return std::nullopt;
  std::vector<Pace> paces;
  for (const Node& item : *items) {
    const Pace pace = read_one(item, mistakes);
    for (const Pace& earlier : paces) {
      if (earlier.part != pace.part) continue;
      mistakes.add(item, "head and body have one pace each");
    }
    paces.push_back(pace);
  }
  return paces;
}

std::optional<std::vector<std::size_t>> read_pieces(const Node& node, Mistakes& mistakes) {
  const auto* items = json::read_list(node, 1, "size in bytes", mistakes);
  if (items == nullptr) return std::nullopt;
  std::vector<std::size_t> sizes;
  for (const Node& item : *items) {
    const auto size = json::integer<std::size_t>(1, kPieceMax)(item, mistakes);
    if (size) sizes.push_back(*size);
  }
  return sizes;
}

}  // namespace retrylab::scenario::decode
