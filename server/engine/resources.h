// SPDX-License-Identifier: MIT
// The resources that a run created: how many, and what they are called. Kept apart from the
// journal, whose bounds must not change the count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "client_lib/base/random.h"

namespace retrylab::engine {

class Resources {
 public:
  explicit Resources(std::uint64_t most) : most_(most) {}

  bool full() const { return made_ >= most_; }
  // A new id, "payment_" and sixteen hexadecimal digits from `random`. Not when full().
  std::string create(std::string_view kind, Random& random);

 private:
  std::uint64_t most_;
  std::uint64_t made_ = 0;
};

}  // namespace retrylab::engine
