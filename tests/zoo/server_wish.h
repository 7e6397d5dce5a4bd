// SPDX-License-Identifier: MIT
// How long the server asks a client to wait: Retry-After read by hand, so that a mistake in the
// project's own parser cannot hide behind itself.
#pragma once

#include <optional>
#include <string_view>

#include "client_lib/base/http.h"
#include "client_lib/base/time.h"

namespace retrylab::zoo {

// The wait that an answer received at `wall` asks for, zero for a date in the past; nothing when it
// asks for none or writes it wrongly.
std::optional<Duration> asked_wait(const Headers& headers, WallTime wall);

// delay-seconds, saturated at kForever.
std::optional<Duration> read_seconds(std::string_view value);

// An HTTP-date in any of the three forms.
std::optional<WallTime> read_date(std::string_view value, WallTime now);

// The value, where there is exactly one.
std::optional<std::string_view> retry_after_value(const Headers& headers);

}  // namespace retrylab::zoo
