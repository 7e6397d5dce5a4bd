// SPDX-License-Identifier: MIT
// How one attempt travels: the interface between the retry loop and an HTTP library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "client_lib/base/http.h"
#include "client_lib/base/time.h"
#include "client_lib/net/body_source.h"
#include "client_lib/net/url.h"
#include "client_lib/retry/outcome.h"

namespace retrylab {

// One attempt as it is to be sent. The views live as long as the call.
struct WireRequest {
  std::string_view method;
  const Url& url;
  const Headers& headers;  // as given; Host and Content-Length are added
  std::string_view body;
  BodySource* body_source = nullptr;  // at its first byte; instead of `body`

  std::uint64_t body_size() const { return body_source ? body_source->size() : body.size(); }
};

struct TransportOptions {
  std::size_t body_bytes_max = 64'000'000;  // a longer answer is Failure::too_large
  std::size_t idle_connections_max = 16;    // kept per origin; more are closed after use
  std::string ca_file{};                    // PEM; "": the system's certificates
  bool verify_certificates = true;
  std::string user_agent = "retrylab-client";
};

class Transport {
 public:
  virtual ~Transport() = default;

  // Makes one attempt, never a second one by itself, and follows no redirect. Returns within
  // `time` (kForever: no limit), from connecting to the answer's last byte, with
  // Failure::timeout or connect_timeout; soon after `stop` is requested with Failure::cancelled.
  // The answer is complete or a failure; its content coding is left as it is. A connection whose
  // answer was not read to its end is not used again. Never throws. Thread-safe.
  virtual Outcome send(const WireRequest& request, Duration time, const std::stop_token& stop) = 0;
};

}  // namespace retrylab
