// SPDX-License-Identifier: MIT
// What the errors of Asio, Beast and OpenSSL mean for an attempt. Private to beast_transport.cc.
#pragma once

#include <string>

#include <boost/system/error_code.hpp>

#include "client_lib/retry/outcome.h"

namespace retrylab {

inline Outcome failed(Failure failure, const std::string& detail) {
  return {.failure = failure, .detail = detail};
}

Outcome connect_failure(boost::system::error_code error);

// A handshake that the peer broke off may go better next time; one that failed will not.
Outcome handshake_failure(boost::system::error_code error);

// `began`: bytes of an answer had arrived.
Outcome read_failure(boost::system::error_code error, bool began);

}  // namespace retrylab
