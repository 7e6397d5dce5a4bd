// SPDX-License-Identifier: MIT
// The transports under test, and the client that is put on them.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "client_lib/net/beast_transport.h"
#include "client_lib/net/httplib_transport.h"
#include "client_lib/net/retry_client.h"

namespace retrylab {

enum class Kind { memory, httplib, beast };

// Null for the one in memory, which needs to be told its answers.
inline std::unique_ptr<Transport> make_socket_transport(Kind kind) {
  if (kind == Kind::httplib) return std::make_unique<HttplibTransport>();
  if (kind == Kind::beast) return std::make_unique<BeastTransport>();
  return nullptr;
}

inline ClientOptions quick_options() {
  ClientOptions options{.seed = 1};
  options.policy.attempt_timeout = std::chrono::milliseconds(300);
  return options;
}

// "503 reset 200 | succeeded"
inline std::string dump(const OperationResult& result) {
  std::string text;
  for (const AttemptRecord& attempt : result.attempts) {
    text +=
        attempt.status != 0 ? std::to_string(attempt.status) : std::string(word(attempt.failure));
    text += " ";
  }
  return text + "| " + std::string(word(result.reason));
}

}  // namespace retrylab
