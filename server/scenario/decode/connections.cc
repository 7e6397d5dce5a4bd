// SPDX-License-Identifier: MIT
// "connections": one position per accepted connection, for what happens before a route is known.
#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {

std::optional<std::vector<ConnectionStep>> read_connections(const Node& node, Mistakes& mistakes) {
  const auto* items = json::read_list(node, 1, "connection", mistakes);
  if (items == nullptr) return std::nullopt;
  std::vector<ConnectionStep> connections;
  for (const Node& item : *items) {
    ConnectionStep& step = connections.emplace_back();
    ObjectReader reader(item, "a connection", mistakes);
    reader.optional("times", step.times, json::integer<std::uint32_t>(1));
    const Node* fault = reader.optional("fault");
    if (fault == nullptr) continue;
    for (const PlacedFault& placed : decode_faults(*fault, FaultSite::connections, mistakes)) {
      step.faults.push_back(placed.fault);
    }
  }
  return connections;
}

}  // namespace retrylab::scenario::decode
