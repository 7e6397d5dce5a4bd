// SPDX-License-Identifier: MIT
// A count: 3, or {"min": 1, "max": 5}. A time range: {"min": "1s", "max": "30s"}.
#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

template <typename Range>
void check_range(const Node& node, const Range& range, Mistakes& mistakes) {
  if (node.members.empty()) {
    mistakes.add(node, "a range needs \"min\", \"max\" or both");
  } else if (range.min && range.max && *range.min > *range.max) {
    mistakes.add(node, "\"min\" is above \"max\"");
  }
}

}  // namespace

std::optional<CountRange> read_count_range(const Node& node, Mistakes& mistakes) {
  const auto count = json::integer<std::uint64_t>(0);
  CountRange range;
  if (node.kind != Node::Kind::object) {
    const auto exact = node.kind == Node::Kind::number ? count(node, mistakes) : std::nullopt;
    if (exact) return CountRange{*exact, *exact};
    if (node.kind != Node::Kind::number) {
      json::expected(node, "a count such as 3, or {\"min\": 1, \"max\": 5}", mistakes);
    }
    return std::nullopt;
  }
  ObjectReader reader(node, "a count", mistakes);
  reader.optional("min", range.min, count);
  reader.optional("max", range.max, count);
  check_range(node, range, mistakes);
  return range;
}

std::optional<TimeRange> read_time_range(const Node& node, Mistakes& mistakes) {
  TimeRange range;
  ObjectReader reader(node, "a time range", mistakes);
  if (node.kind != Node::Kind::object) return std::nullopt;
  reader.optional("min", range.min, json::read_duration);
  reader.optional("max", range.max, json::read_duration);
  check_range(node, range, mistakes);
  return range;
}

}  // namespace retrylab::scenario::decode
