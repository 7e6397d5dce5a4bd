// SPDX-License-Identifier: MIT
#include "server/engine/count_key.h"

#include <array>

#include <fmt/format.h>

#include "client_lib/base/sha256.h"
#include "server/engine/path.h"

namespace retrylab::engine {
namespace {

using scenario::CountBy;
using scenario::OperationBy;

// Headers that clients give every attempt of one operation (RULES.md B0).
constexpr std::array<std::string_view, 2> kInvocationHeaders{"X-Op-Id", "amz-sdk-invocation-id"};

std::string text_or_empty(std::optional<std::string_view> text) {
  return std::string(text.value_or(std::string_view()));
}

std::optional<std::string> automatic_operation(const Request& request) {
  for (const std::string_view name : kInvocationHeaders) {
    if (const auto value = request.header(name)) return fmt::format("{}: {}", name, *value);
  }
  if (!request.has_body()) return std::nullopt;
  return fmt::format("{} {} {}", request.method(), request.target(),
                     to_hex(sha256(request.body())));
}

}  // namespace

std::optional<std::string> operation_value(const OperationBy& by, const scenario::Route& route,
                                           const Request& request) {
  switch (by.kind) {
    case OperationBy::Kind::automatic:
      return "";
    case OperationBy::Kind::header:
      return text_or_empty(request.header(by.name));
    case OperationBy::Kind::path:
      return text_or_empty(path_parameter(route.on.path, request.path(), by.name));
    case OperationBy::Kind::query:
      return request.query_value(by.name).value_or("");
    case OperationBy::Kind::body:
      if (!request.has_body()) return std::nullopt;
      return request.body_member(by.name).value_or("");
  }
  return "";
}

std::optional<std::string> count_key(const scenario::Route& route, const Request& request,
                                     const CountedBy& by) {
  switch (route.count_by.kind) {
    case CountBy::Kind::route:
      return "";
    case CountBy::Kind::connection:
      return std::to_string(by.connection);
    case CountBy::Kind::client:
      return std::string(by.client);
    case CountBy::Kind::header:
      return text_or_empty(request.header(route.count_by.name));
    case CountBy::Kind::path:
      return text_or_empty(path_parameter(route.on.path, request.path(), route.count_by.name));
    case CountBy::Kind::operation:
      if (by.operation.kind == OperationBy::Kind::automatic) return automatic_operation(request);
      return operation_value(by.operation, route, request);
  }
  return "";
}

}  // namespace retrylab::engine
