// SPDX-License-Identifier: MIT
// Single values out of the tree. Each function answers with the value, or adds a mistake that
// says what was found and what would be right, and answers with nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "client_lib/base/ratio.h"
#include "client_lib/base/time.h"
#include "server/scenario/json/mistakes.h"
#include "server/scenario/json/nearest.h"
#include "server/scenario/json/tree.h"
#include "server/scenario/words.h"

namespace retrylab::scenario::json {

// "the number 15", `the string "soon"`, "a list".
std::string found(const Node& node);

// "expected WHAT, found ...".
void expected(const Node& node, std::string_view what, Mistakes& mistakes);

std::optional<bool> read_boolean(const Node& node, Mistakes& mistakes);

// Any string.
std::optional<std::string> read_string(const Node& node, Mistakes& mistakes);

// A string of at least one byte.
std::optional<std::string> read_bytes(const Node& node, Mistakes& mistakes);

// A string on one line: not empty, no control characters, at most 1000 bytes.
std::optional<std::string> read_line(const Node& node, Mistakes& mistakes);

// A header name: RFC 9110 token.
std::optional<std::string> read_header_name(const Node& node, Mistakes& mistakes);
bool is_token(std::string_view text);

// A duration string, zero or more. Strictly above zero: read_wait.
std::optional<Duration> read_duration(const Node& node, Mistakes& mistakes);
std::optional<Duration> read_wait(const Node& node, Mistakes& mistakes);

// A size string, "400KB".
std::optional<std::uint64_t> read_size(const Node& node, Mistakes& mistakes);

// A whole number from `min` to `max`, both included.
struct Bounds {
  std::uint64_t min = 0;
  std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
};
std::optional<std::uint64_t> read_integer(const Node& node, Bounds bounds, Mistakes& mistakes);

// The same as a function for ObjectReader, of the type that the member has.
template <typename Integer>
auto integer(std::uint64_t min, std::uint64_t max = std::numeric_limits<Integer>::max()) {
  return [=](const Node& node, Mistakes& mistakes) -> std::optional<Integer> {
    const auto value = read_integer(node, {min, max}, mistakes);
    if (!value) return std::nullopt;
    return static_cast<Integer>(*value);
  };
}

// A decimal with up to three digits behind the point, in thousandths: 0.5 is 500.
std::optional<std::int64_t> read_thousandths(const Node& node, Mistakes& mistakes);

// A ratio: "3/20", or a decimal from 0 to 1 with up to six digits behind the point.
std::optional<Ratio> read_ratio(const Node& node, Mistakes& mistakes);

// A final status, 200 to 599.
std::optional<int> read_status(const Node& node, Mistakes& mistakes);

// One word of a closed set.
void unknown_word(const Node& node, std::span<const std::string_view> known, Mistakes& mistakes);

template <typename Value>
auto one_of(std::span<const Word<Value>> words) {
  return [words](const Node& node, Mistakes& mistakes) -> std::optional<Value> {
    std::vector<std::string_view> known;
    for (const Word<Value>& entry : words) {
      if (node.kind == Node::Kind::string && node.text == entry.word) return entry.value;
      known.push_back(entry.word);
    }
    unknown_word(node, known, mistakes);
    return std::nullopt;
  };
}

// A list of at least `min` items, or null after a mistake.
const std::vector<Node>* read_list(const Node& node, std::size_t min, std::string_view of,
                                   Mistakes& mistakes);

}  // namespace retrylab::scenario::json
