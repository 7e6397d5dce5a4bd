// SPDX-License-Identifier: MIT
// The position in a script: which step the next attempt gets. Claiming is the only thing that
// moves it; whoever counts differently (`count_by`) has a position of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "client_lib/base/time.h"
#include "server/scenario/scenario.h"

namespace retrylab::engine {

class ScriptPosition {
 public:
  // The index of the claimed step; nothing when the script is over and `after_script` is fail.
  // `times` repeats a step, `for` keeps it until its time is over, counted from its first claim.
  std::optional<std::size_t> claim(const scenario::Route& route, Instant now);

  // `for: until_retry_after`: the claimed step's answer announces `until`. The step lasts until
  // the first instant announced.
  void announce(std::size_t step, Instant until);

 private:
  bool still_lasting(const scenario::Step& step, Instant now);
  void advance();

  std::size_t index_ = 0;
  std::uint32_t used_ = 0;              // claims of a step with `times`
  std::optional<Instant> lasts_until_;  // of a step with `for`, once claimed
  bool announced_ = false;
};

}  // namespace retrylab::engine
