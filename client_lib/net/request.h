// SPDX-License-Identifier: MIT
// What a caller wants done once: the request of an operation.
#pragma once

#include <memory>
#include <string>

#include "client_lib/base/http.h"
#include "client_lib/net/body_source.h"

namespace retrylab {

struct Request {
  std::string method = "GET";
  std::string url;    // absolute, http or https
  Headers headers{};  // sent as given; Host and Content-Length are added
  std::string body{};
  std::shared_ptr<BodySource> body_source{};  // instead of `body`
  // The endpoint keeps idempotency keys: make one for this operation, unless the headers have
  // one already. To an endpoint that keeps none, a key protects nothing.
  bool make_key = false;
};

}  // namespace retrylab
