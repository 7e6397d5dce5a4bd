// SPDX-License-Identifier: MIT
// "encoding": "gzip" | {"gzip": "right" | "corrupt" | "cut"} | {"gzip": {"cut": 100}}
#include <array>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

void read_gzip(const Node& node, Encoding& encoding, Mistakes& mistakes) {
  if (node.kind == Node::Kind::object) {
    encoding.flaw = Encoding::Flaw::cut;
    ObjectReader reader(node, "a cut", mistakes);
    reader.required("cut", encoding.cut, json::integer<std::uint64_t>(1));
    return;
  }
  constexpr std::array<Word<Encoding::Flaw>, 3> kFlaws{{{"right", Encoding::Flaw::none},
                                                        {"cut", Encoding::Flaw::cut},
                                                        {"corrupt", Encoding::Flaw::corrupt}}};
  const std::span<const Word<Encoding::Flaw>> words = kFlaws;
  encoding.flaw = json::one_of(words)(node, mistakes).value_or(Encoding::Flaw::none);
}

}  // namespace

std::optional<Encoding> read_encoding(const Node& node, Mistakes& mistakes) {
  Encoding encoding;
  if (node.kind == Node::Kind::object) {
    ObjectReader reader(node, "an encoding", mistakes);
    if (const Node* gzip = reader.required("gzip")) read_gzip(*gzip, encoding, mistakes);
    return encoding;
  }
  constexpr std::array<Word<bool>, 1> kCodings{{{"gzip", true}}};
  const std::span<const Word<bool>> words = kCodings;
  if (!json::one_of(words)(node, mistakes)) return std::nullopt;
  return encoding;
}

}  // namespace retrylab::scenario::decode
