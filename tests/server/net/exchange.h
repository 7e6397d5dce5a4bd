// SPDX-License-Identifier: MIT
// What the tests of wire actions share: a service with one plan, and a client that asks it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/server/net/fake_engine.h"
#include "tests/server/net/raw_client.h"

namespace retrylab::net {

inline const std::string kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
inline const std::string kHead = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n";

// A service that answers "/" with one plan, and a client that has sent its request.
struct Exchange {
  explicit Exchange(MakePlan make_plan) {
    service.engine.at_body["/"] = std::move(make_plan);
    client = std::make_unique<RawClient>(service.url());
    client->send(kGet);
  }
  Service service;
  std::unique_ptr<RawClient> client;
};

inline MakePlan always(std::vector<wire::Action> actions) {
  return [plan = wire::Plan{std::move(actions)}](Instant) { return plan; };
}

}  // namespace retrylab::net
