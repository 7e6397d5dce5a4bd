// SPDX-License-Identifier: MIT
#include "tests/zoo/call.h"

namespace retrylab::zoo {
namespace {

std::string path_of(const scenario::Match& match) {
  std::string path;
  for (const scenario::PathSegment& segment : match.path) {
    path += '/';
    path += segment.kind == scenario::PathSegment::Kind::literal ? segment.text : "1";
  }
  return path.empty() ? "/" : path;
}

}  // namespace

std::vector<Call> calls_for(const scenario::Scenario& scenario) {
  const scenario::Route& route = scenario.routes.front();
  const bool any_method = route.on.method.empty();
  std::vector<Call> calls;
  if (any_method) calls.push_back({.method = "GET", .target = path_of(route.on)});
  Call call{.method = any_method ? "POST" : route.on.method, .target = path_of(route.on)};
  if (call.method == "POST" || call.method == "PUT" || call.method == "PATCH") {
    call.headers.push_back({"Content-Type", "application/json"});
    call.body = R"({"amount":100,"currency":"EUR"})";
  }
  if (route.idempotency) {
    call.key_header = route.idempotency->header;
    call.quotes_key = route.idempotency->strict_syntax;
  }
  calls.push_back(call);
  return calls;
}

}  // namespace retrylab::zoo
