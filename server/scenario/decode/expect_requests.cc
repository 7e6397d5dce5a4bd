// SPDX-License-Identifier: MIT
// "requests": statements about a header, or about the body, of the k-th attempt of an operation.
#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

std::optional<bool> read_true(const Node& node, Mistakes& mistakes) {
  if (node.kind == Node::Kind::boolean && node.boolean) return true;
  json::expected(node, "true", mistakes);
  return std::nullopt;
}

ExpectRequest read_request(const Node& node, const std::vector<Route>& routes, Mistakes& mistakes) {
  ExpectRequest request;
  ObjectReader reader(node, "an expected request", mistakes);
  reader.optional("attempt", request.attempt, json::integer<std::uint32_t>(1));
  reader.optional("route", request.route, json::read_string);
  reader.optional("header", request.header, json::read_header_name);
  reader.optional("equals", request.equals, json::read_string);
  reader.optional("absent", request.absent, read_true);
  reader.optional("count", request.count, read_count_range);
  if (const Node* route = reader.optional("route"); route != nullptr && !request.route.empty()) {
    is_route(*route, request.route, routes, mistakes);
  }
  const Node* count = reader.optional("count");
  if (count != nullptr && reader.optional("header") == nullptr) {
    mistakes.add(*count, "\"count\" counts headers; give the \"header\"");
  }
  const bool states = count != nullptr || reader.optional("equals") != nullptr ||
                      reader.optional("absent") != nullptr;
  if (node.kind == Node::Kind::object && !states) {
    mistakes.add(node, "say what is expected: \"equals\", \"absent\": true or \"count\"");
  }
  reader.exclusive({"equals", "absent"}, "what is absent equals nothing");
  return request;
}

}  // namespace

std::optional<std::vector<ExpectRequest>> read_expect_requests(const Node& node,
                                                               const std::vector<Route>& routes,
                                                               Mistakes& mistakes) {
  const auto* items = json::read_list(node, 0, "expected requests", mistakes);
  if (items == nullptr) return std::nullopt;
  std::vector<ExpectRequest> requests;
  for (const Node& item : *items) requests.push_back(read_request(item, routes, mistakes));
  return requests;
}

}  // namespace retrylab::scenario::decode
