// SPDX-License-Identifier: MIT
// What a scenario wants to be asked: the request that a client whose address, method and body can
// be chosen should make.
#pragma once

#include <string>

#include "server/scenario/scenario.h"

namespace retrylab::scenario {

struct AskedRequest {
  std::string method;  // of the first route; GET where any will do
  // Of the first route: a {name} becomes "1", a {rest...} nothing: "/", "/v1/payments".
  std::string path;
  std::string body;  // JSON for POST, PUT and PATCH, else ""
  bool key = false;  // it wants an idempotency key: POST or PATCH where the server keeps keys
};

AskedRequest asked_request(const Scenario& scenario);

}  // namespace retrylab::scenario
