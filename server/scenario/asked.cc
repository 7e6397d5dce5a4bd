// SPDX-License-Identifier: MIT
#include "server/scenario/asked.h"

#include "client_lib/base/check.h"

namespace retrylab::scenario {
namespace {

std::string path_of(const Match& match) {
  std::string path;
  for (const PathSegment& segment : match.path) {
    path += '/';
    if (segment.kind == PathSegment::Kind::literal) path += segment.text;
    if (segment.kind == PathSegment::Kind::parameter) path += '1';
  }
  return path.empty() ? "/" : path;
}

bool has_body(const std::string& method) {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

}  // namespace

AskedRequest asked_request(const Scenario& scenario) {
  CHECK(!scenario.routes.empty());
  const Match& on = scenario.routes.front().on;
  AskedRequest asked{.method = on.method.empty() ? "GET" : on.method, .path = path_of(on)};
  if (has_body(asked.method)) asked.body = R"({"amount": 5})";
  asked.key = asked.method != "PUT" && !asked.body.empty() && scenario.routes.front().idempotency;
  return asked;
}

}  // namespace retrylab::scenario
