// SPDX-License-Identifier: MIT
// Which kind of jitter explains the waits best (RULES.md BO-6): the likelihood of each kind, its
// support widened by what timers and host add.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "client_lib/base/time.h"

namespace retrylab::verify::statistics {

enum class JitterKind {
  none,
  full,
  equal,
  decorrelated,
  within_20_percent,  // gRPC
  within_25_percent,  // Polly
  within_50_percent,  // resilience4j
  three_quarters_up,  // OpenAI: 75% to 100%
  added,              // a uniform 0 to base on top
};
inline constexpr std::array kJitterKinds{JitterKind::none,
                                         JitterKind::full,
                                         JitterKind::equal,
                                         JitterKind::decorrelated,
                                         JitterKind::within_20_percent,
                                         JitterKind::within_25_percent,
                                         JitterKind::within_50_percent,
                                         JitterKind::three_quarters_up,
                                         JitterKind::added};

// One wait that the client chose by itself.
struct Wait {
  Duration time{0};
  Duration ceiling{0};   // min(cap, base * factor^n)
  Duration previous{0};  // the wait before it, for decorrelated; base for the first
};

struct ModelChoice {
  JitterKind best = JitterKind::none;
  JitterKind second = JitterKind::none;
  double lead = 0;  // in natural logarithms of the likelihood
  bool is_decided = false;
};

// Decided when the best is more than a thousand times as likely as the second. `waits` is not
// empty; `base` above zero.
ModelChoice choose_model(std::span<const Wait> waits, Duration base, Duration cap);

std::string_view word(JitterKind kind);

}  // namespace retrylab::verify::statistics
