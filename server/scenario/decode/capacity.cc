// SPDX-License-Identifier: MIT
// "capacity": {"concurrent": 2, "queue": 10, "service_time": "100ms", "shed": 503}
#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {

std::optional<Capacity> read_capacity(const Node& node, const Context& context) {
  Capacity capacity;
  ObjectReader reader(node, "a capacity", context.mistakes);
  reader.required("concurrent", capacity.concurrent, json::integer<std::uint32_t>(1));
  reader.optional("queue", capacity.queue, json::integer<std::uint32_t>(0));
  if (const Node* time = reader.optional("service_time")) {
    capacity.service_time = read_delay(*time, context);
    if (capacity.service_time && std::holds_alternative<BarrierDelay>(*capacity.service_time)) {
      context.mistakes.add(*time, "a service time has a length of its own: no \"until\"");
    }
  }
  capacity.shed = read_refusal(reader, "shed", 503, context);
  return capacity;
}

}  // namespace retrylab::scenario::decode
