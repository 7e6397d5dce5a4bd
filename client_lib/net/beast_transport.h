// SPDX-License-Identifier: MIT
// A transport over Boost.Beast, which stays out of this header. It tells apart what the default
// one cannot: refused, reset, closed, truncated, malformed, timeout, TLS; it reads past interim
// answers (1xx), takes an answer that came before the request was sent whole, and is stopped at
// any point, connecting included. Looking a name up is the exception: that takes what the
// system's resolver takes.
#pragma once

#include <memory>

#include "client_lib/net/transport.h"

namespace retrylab {

class BeastTransport : public Transport {
 public:
  explicit BeastTransport(TransportOptions options = {});
  ~BeastTransport() override;
  BeastTransport(const BeastTransport&) = delete;
  BeastTransport& operator=(const BeastTransport&) = delete;

  Outcome send(const WireRequest& request, Duration time, const std::stop_token& stop) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace retrylab
