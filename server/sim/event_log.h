// SPDX-License-Identifier: MIT
// What happened in a simulation, one line an event: "1250000 17 arrives 2\n" is the time in
// nanoseconds, the client, the event, and a number that belongs to it. Same simulation and seed:
// the same bytes, whatever the compiler.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "client_lib/base/time.h"

namespace retrylab::sim {

class EventLog {
 public:
  void add(Instant at, std::uint64_t client, std::string_view event, std::uint64_t number = 0) {
    text_.append(std::to_string(at.time_since_epoch().count())).append(" ");
    text_.append(std::to_string(client)).append(" ").append(event).append(" ");
    text_.append(std::to_string(number)).append("\n");
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace retrylab::sim
