// SPDX-License-Identifier: MIT
// "framing": "content_length" | "chunked" | "close", or what is wrong with it:
//   {"content_length": LENGTH | [LENGTH, ...]}       LENGTH: 100, "+5", "-5"
//   {"chunked": {"bad_size": "zz", "bad_chunk": 2, "last_chunk": false, "trailers": {...}},
//    "content_length": ...}                           the length stands beside Transfer-Encoding
#include <utility>

#include <fmt/format.h>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

constexpr std::uint64_t kLengthMax = 1'000'000'000'000;

// "+5" or "-5": so many bytes more or less than the body has.
std::optional<ContentLength> read_offset(const Node& node, Mistakes& mistakes) {
  const std::string& text = node.text;
  const bool is_signed = text.size() > 1 && text.size() < 14 && (text[0] == '+' || text[0] == '-');
  const bool is_number = is_signed && text.find_first_not_of("0123456789", 1) == std::string::npos;
  if (!is_number) {
    json::expected(node, "a length such as 100, or an offset from the right one such as \"+5\"",
                   mistakes);
    return std::nullopt;
  }
  const std::int64_t bytes = std::stoll(text.substr(1));
  return ContentLength{true, text[0] == '-' ? -bytes : bytes};
}

std::optional<ContentLength> read_length(const Node& node, Mistakes& mistakes) {
  if (node.kind == Node::Kind::string) return read_offset(node, mistakes);
  if (node.kind != Node::Kind::number) {
    json::expected(node, "a length such as 100, or an offset from the right one such as \"+5\"",
                   mistakes);
    return std::nullopt;
  }
  const auto bytes = json::integer<std::uint64_t>(0, kLengthMax)(node, mistakes);
  if (!bytes) return std::nullopt;
  return ContentLength{false, static_cast<std::int64_t>(*bytes)};
}

std::optional<std::vector<ContentLength>> read_lengths(const Node& node, Mistakes& mistakes) {
  std::vector<ContentLength> lengths;
  const auto add = [&](const Node& item) {
    if (const auto length = read_length(item, mistakes)) lengths.push_back(*length);
  };
  if (node.kind != Node::Kind::array) {
    add(node);
  } else if (const auto* items = json::read_list(node, 1, "length", mistakes)) {
    for (const Node& item : *items) add(item);
  }
  return lengths;
}

void read_chunked(const Node& node, Framing& framing, Mistakes& mistakes) {
  framing.kind = Framing::Kind::chunked;
  ObjectReader reader(node, "\"chunked\"", mistakes);
  reader.optional("bad_size", framing.bad_size, json::read_line);
  if (reader.optional("bad_size") == nullptr) {
    reader.refuse({"bad_chunk"}, "it says which chunk has the \"bad_size\"");
  } else {
    reader.optional("bad_chunk", framing.bad_chunk, json::integer<std::uint32_t>(1));
  }
  reader.optional("last_chunk", framing.last_chunk, json::read_boolean);
  reader.optional("trailers", framing.trailers, read_headers);
  if (!framing.last_chunk) {
    reader.refuse({"trailers"}, "trailers follow the last chunk, and there is none");
  }
}

}  // namespace

std::optional<Framing> read_framing(const Node& node, Mistakes& mistakes) {
  Framing framing;
  if (node.kind != Node::Kind::object) {
    const auto kind = json::one_of(framing_words())(node, mistakes);
    if (!kind) return std::nullopt;
    framing.kind = *kind;
    return framing;
  }
  ObjectReader reader(node, "a framing", mistakes);
  if (const Node* chunked = reader.optional("chunked")) read_chunked(*chunked, framing, mistakes);
  reader.optional("content_length", framing.lengths, read_lengths);
  if (node.members.empty()) {
    mistakes.add(node, "\"framing\" is empty: give it \"content_length\" or \"chunked\"");
  }
  return framing;
}

}  // namespace retrylab::scenario::decode
