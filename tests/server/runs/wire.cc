// SPDX-License-Identifier: MIT
#include "tests/server/runs/wire.h"

#include <fmt/format.h>

namespace retrylab::runs {

std::string without_date(std::string bytes) {
  for (auto at = bytes.find("Date: "); at != std::string::npos; at = bytes.find("Date: ", at)) {
    bytes.erase(at, bytes.find("\r\n", at) + 2 - at);
  }
  return bytes;
}

std::string scenario_of(std::string_view step) {
  return fmt::format(R"({{"name": "t", "routes": [{{"on": "* /", "script": [{}, 200]}}]}})", step);
}

std::string doing(std::string_view effect, std::string_view moment) {
  return fmt::format(R"({{"status": 200, "body": "hello", "fault": {{"do": "{}", "at": {}}}}})",
                     effect, moment);
}

}  // namespace retrylab::runs
