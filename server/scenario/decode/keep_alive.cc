// SPDX-License-Identifier: MIT
// "keep_alive": {"requests": 100, "idle": "5s", "announced": false}
#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {

std::optional<KeepAlive> read_keep_alive(const Node& node, Mistakes& mistakes) {
  KeepAlive keep_alive;
  ObjectReader reader(node, "\"keep_alive\"", mistakes);
  reader.optional("requests", keep_alive.requests, json::integer<std::uint32_t>(1));
  reader.optional("idle", keep_alive.idle, json::read_wait);
  if (reader.optional("requests") == nullptr) {
    reader.refuse({"announced"}, "it is about the last of so many \"requests\"");
  } else {
    reader.optional("announced", keep_alive.announced, json::read_boolean);
  }
  return keep_alive;
}

}  // namespace retrylab::scenario::decode
