// SPDX-License-Identifier: MIT
// Durations and sizes as people write them: "250ms", "15s", "2m", "400KB".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "client_lib/base/result.h"
#include "client_lib/base/time.h"

namespace retrylab {

//   duration = digits [ "." digits ] unit      unit = "ns" | "us" | "ms" | "s" | "m" | "h"
// Never negative; at most 100 years. Anything else is invalid_argument with an example.
Result<Duration> parse_duration(std::string_view text);

// Exact, a whole number of the largest unit that fits: "0s", "250ms", "1500ms", "2m", "24h".
// parse_duration reads it back.
std::string format_duration(Duration duration);

// For reports, rounded: in ms below one second, else in s with three decimals: "7.31ms", "1.002s".
std::string format_measured(Duration duration);

//   size = digits unit      unit = "B" | "KB" | "MB" | "GB" (powers of 1000)
//                                | "KiB" | "MiB" | "GiB"
Result<std::uint64_t> parse_size(std::string_view text);

}  // namespace retrylab
