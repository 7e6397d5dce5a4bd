// SPDX-License-Identifier: MIT
#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {

std::optional<Limits> read_limits(const Node& node, Mistakes& mistakes) {
  const auto read_bytes = [](const Node& size_node, Mistakes& all) -> std::optional<std::uint64_t> {
    const auto size = json::read_size(size_node, all);
    if (size != 0U) return size;
    json::expected(size_node, "a size above zero", all);
    return std::nullopt;
  };
  Limits limits;
  ObjectReader reader(node, "\"limits\"", mistakes);
  reader.optional("connections", limits.connections, json::integer<std::uint32_t>(1));
  reader.optional("header_bytes", limits.header_bytes, read_bytes);
  reader.optional("body_bytes", limits.body_bytes, read_bytes);
  reader.optional("journal_entries", limits.journal_entries, json::integer<std::uint64_t>(1));
  reader.optional("journal_bytes", limits.journal_bytes, read_bytes);
  reader.optional("keys", limits.keys, json::integer<std::uint64_t>(1));
  reader.optional("resources", limits.resources, json::integer<std::uint64_t>(1));
  reader.optional("delay", limits.delay, json::read_wait);
  return limits;
}

}  // namespace retrylab::scenario::decode
