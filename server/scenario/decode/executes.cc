// SPDX-License-Identifier: MIT
// "executes": true | false | {"status": 201, "json": {...}}: whether the operation took effect,
// and the answer it really had.
#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {

std::optional<Executes> read_executes(const Node& node, const Context& context) {
  if (node.kind == Node::Kind::boolean) return node.boolean;
  if (node.kind != Node::Kind::object) {
    json::expected(node,
                   "true, false or the answer the operation really had, such as "
                   "{\"status\": 201}",
                   context.mistakes);
    return std::nullopt;
  }
  ExecutedAnswer answer;
  ObjectReader reader(node, "an executed answer", context.mistakes);
  reader.required("status", answer.status, json::integer<int>(200, 299));
  reader.optional("headers", answer.headers, read_headers);
  answer.body = read_body(reader, context).value_or(Body{});
  return answer;
}

}  // namespace retrylab::scenario::decode
