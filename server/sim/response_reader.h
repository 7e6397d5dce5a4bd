// SPDX-License-Identifier: MIT
// Makes an outcome of the bytes that a virtual client receives, as a careful client library
// would: interim answers are passed over, an incomplete answer is never a success.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "client_lib/retry/outcome.h"

namespace retrylab::sim {

class ResponseReader {
 public:
  // `to_head`: the request was a HEAD, so its answer has no body.
  explicit ResponseReader(bool to_head);
  ~ResponseReader();
  ResponseReader(const ResponseReader&) = delete;
  ResponseReader& operator=(const ResponseReader&) = delete;

  // Each gives the outcome as soon as there is one, and nothing afterwards.
  std::optional<Outcome> bytes(std::string_view received);
  std::optional<Outcome> closed();
  std::optional<Outcome> reset();

  // After an answer: another request may follow on the connection.
  bool keeps_alive() const;

 private:
  struct Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace retrylab::sim
