// SPDX-License-Identifier: MIT
// The query of a request. An unknown parameter is a mistake, as is one that comes twice.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "client_lib/base/time.h"
#include "server/control/problem.h"

namespace retrylab::control {

class Query {
 public:
  static Expected<Query> read(const Request& request,
                              std::initializer_list<std::string_view> known);

  std::optional<std::string> text(const std::string& name) const;
  Expected<std::optional<std::uint64_t>> count(const std::string& name) const;
  Expected<bool> flag(const std::string& name) const;  // "true" or "false"; missing: false
  Expected<std::optional<Duration>> duration(const std::string& name) const;

 private:
  std::map<std::string, std::string> values_;
};

// A whole number in decimal, without sign.
std::optional<std::uint64_t> parse_count(std::string_view text);

}  // namespace retrylab::control
