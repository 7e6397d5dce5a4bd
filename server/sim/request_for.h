// SPDX-License-Identifier: MIT
// What a client sends in a scenario when nobody says otherwise: what its first route takes.
#pragma once

#include <string>

#include "server/scenario/scenario.h"

namespace retrylab::sim {

struct Asked {
  std::string method;
  std::string target;
  std::string body;
  bool needs_key = false;
};

// The scenario has a route.
inline Asked request_for(const scenario::Scenario& scenario) {
  const scenario::Route& route = scenario.routes.front();
  Asked asked{.method =
                  route.on.method.empty() || route.on.method == "*" ? "GET" : route.on.method};
  for (const scenario::PathSegment& segment : route.on.path) {
    const bool literal = segment.kind == scenario::PathSegment::Kind::literal;
    asked.target += "/" + (literal ? segment.text : "x");
  }
  if (asked.target.empty()) asked.target = "/";
  const bool has_body = asked.method != "GET" && asked.method != "HEAD";
  if (has_body) asked.body = R"({"amount": 5})";
  asked.needs_key = has_body && route.idempotency.has_value();
  return asked;
}

}  // namespace retrylab::sim
