// SPDX-License-Identifier: MIT
// How long from starting a server's program to its first answer?
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace retrylab::load {

struct StartOptions {
  std::uint16_t port = 0;
  std::string path;
  std::vector<std::string> command;
};

// Starts `command` (its output goes nowhere), asks 127.0.0.1:port for `path` until it is answered
// with 200, and stops it (SIGTERM, after a second SIGKILL). The result: first_answer_ms from just
// before the program was started; null when none came within 30 s.
nlohmann::json measure_start(const StartOptions& options);

}  // namespace retrylab::load
