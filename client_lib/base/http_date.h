// SPDX-License-Identifier: MIT
// HTTP-date (RFC 9110 §5.6.7): all three forms, read and written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "client_lib/base/time.h"

namespace retrylab {

enum class DateFormat { imf, rfc850, asctime };

// Reads any of the three forms, case-sensitively and without extra blanks; a weekday that does
// not fit, a day that does not exist or a trailing byte makes it invalid. A two-digit year that
// would lie more than 50 years after `now` means the century before. Second 60 is accepted.
std::optional<WallTime> parse_http_date(std::string_view text, WallTime now);

// Whole seconds; a fraction is cut off, so callers that announce a wait round up first.
std::string format_http_date(WallTime time, DateFormat format = DateFormat::imf);

}  // namespace retrylab
