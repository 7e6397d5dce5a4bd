// SPDX-License-Identifier: MIT
// The default transport, over cpp-httplib, which stays out of this header. Connections are kept
// alive and reused per origin.
//
// What cpp-httplib 0.11 cannot do: it reports every failure after the connection stood as one
// (Failure::transport), it cannot be stopped while it connects (that ends by the attempt's time),
// and it takes a 103 for the answer (reported as malformed). beast_transport.h can.
#pragma once

#include <memory>

#include "client_lib/net/transport.h"

namespace retrylab {

class HttplibTransport : public Transport {
 public:
  explicit HttplibTransport(TransportOptions options = {});
  ~HttplibTransport() override;
  HttplibTransport(const HttplibTransport&) = delete;
  HttplibTransport& operator=(const HttplibTransport&) = delete;

  Outcome send(const WireRequest& request, Duration time, const std::stop_token& stop) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace retrylab
