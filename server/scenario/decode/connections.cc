// SPDX-License-Identifier: MIT
// "connections": one position per accepted connection, for what happens before a route is known;
// or a window of time in which clients cannot connect, or connect in vain.
#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

ConnectionStep read_connection(const Node& node, Mistakes& mistakes) {
  ConnectionStep step;
  ObjectReader reader(node, "a connection", mistakes);
  reader.exclusive({"refuse", "accept_and_hang", "fault"}, "a position does one of them");
  reader.optional("refuse", step.refuse, json::read_wait);
  reader.optional("accept_and_hang", step.accept_and_hang, json::read_wait);
  if (step.refuse || step.accept_and_hang) {
    reader.refuse({"times", "certificate"}, "a window lasts for its time and shows nothing");
  }
  reader.optional("certificate", step.certificate, json::one_of(certificate_words()));
  reader.optional("times", step.times, json::integer<std::uint32_t>(1));
  if (const Node* fault = reader.optional("fault")) {
    for (const PlacedFault& placed : decode_faults(*fault, FaultSite::connections, mistakes)) {
      step.faults.push_back(placed.fault);
    }
  }
  return step;
}

}  // namespace

std::optional<std::vector<ConnectionStep>> read_connections(const Node& node, Mistakes& mistakes) {
  const auto* items = json::read_list(node, 1, "connection", mistakes);
  if (items == nullptr) return std::nullopt;
  std::vector<ConnectionStep> connections;
  for (const Node& item : *items) connections.push_back(read_connection(item, mistakes));
  return connections;
}

}  // namespace retrylab::scenario::decode
