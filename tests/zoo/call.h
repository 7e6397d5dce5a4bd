// SPDX-License-Identifier: MIT
// What a caller wants of a scenario's server.
#pragma once

#include <string>
#include <vector>

#include "client_lib/base/http.h"
#include "server/scenario/scenario.h"

namespace retrylab::zoo {

// One operation.
struct Call {
  std::string method = "GET";
  std::string target = "/";
  Headers headers;
  std::string body;
  std::string key_header;   // "" : the operation has no idempotency key
  bool quotes_key = false;  // as a structured-field string
};

// The requests that the scenario's first route is about, with a key where it has a store: one for
// a route with a method, a GET and a POST for one with any.
std::vector<Call> calls_for(const scenario::Scenario& scenario);

}  // namespace retrylab::zoo
