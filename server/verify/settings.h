// SPDX-License-Identifier: MIT
// What a run is judged by: the profile, overridden by the scenario's expectations.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>

#include "server/scenario/scenario.h"
#include "server/verify/profile.h"

namespace retrylab::verify {

// From where to where a client's own wait may lie.
struct WaitBand {
  Duration least{0};
  Duration most{0};
};

struct Settings {
  const Profile* profile = nullptr;
  bool backoff_declared = false;  // by the scenario
  std::optional<Duration> base;
  std::optional<Duration> cap;
  std::int64_t factor_thousandths = 2000;
  std::uint32_t shift = 0;   // 1: the first ceiling is base * factor
  std::optional<Band> band;  // nothing: any jitter
  bool decorrelated = false;
  std::optional<std::uint64_t> attempts_min;
  std::optional<std::uint64_t> attempts_max;
  std::bitset<600> retried;          // statuses
  std::bitset<600> never_retried;    // statuses
  std::optional<Duration> deadline;  // of an operation, from its first byte
  scenario::ExpectRetryAfter retry_after;
  scenario::ExpectNeverRetry never_retry;
  // Giving up is right where the server asks for a longer wait.
  Duration patience{0};
};

Settings settle(const scenario::Scenario& scenario);

// min(cap, base * factor^(retry - 1 + shift)), without overflow; nothing without a base.
std::optional<Duration> ceiling(const Settings& settings, std::uint32_t retry);

// Nothing when base or band are not known. `previous` is the client's wait before this one, for
// decorrelated jitter.
std::optional<WaitBand> wait_band(const Settings& settings, std::uint32_t retry,
                                  std::optional<Duration> previous);

// The longest that a client may wait by itself before that retry, or a minute if that is unknown.
Duration longest_wait(const Settings& settings, std::uint32_t retry);

bool is_retried(const Settings& settings, int status);
bool is_never_retried(const Settings& settings, int status);

// "full jitter", "equal jitter", "80% to 120%": what the band is called.
std::string describe_band(const Settings& settings);

}  // namespace retrylab::verify
