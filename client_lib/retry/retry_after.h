// SPDX-License-Identifier: MIT
// Retry-After (RFC 9110 §10.2.3), read strictly: delay-seconds = 1*DIGIT, or an HTTP-date in any
// of the three forms. Everything else is invalid and to be ignored.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "client_lib/base/http.h"
#include "client_lib/base/time.h"

namespace retrylab {

struct RetryAfter {
  enum class Kind { absent, invalid, seconds, date };
  Kind kind = Kind::absent;
  // How long after receipt: zero or more, saturated at kForever. For a date: until then,
  // zero when it is past.
  Duration wait{0};
  // For a date: the instant it names.
  WallTime date{};
  // For a date: it lies before `received`.
  bool past = false;

  bool valid() const { return kind == Kind::seconds || kind == Kind::date; }
};

// One field value. `received` is the wall clock when the answer arrived.
RetryAfter parse_retry_after(std::string_view value, WallTime received);

// The field of a message: two lines make it invalid, since it is not a list (RFC 9110 §5.3).
RetryAfter find_retry_after(const Headers& headers, WallTime received);
RetryAfter find_retry_after(std::span<const std::string> values, WallTime received);

}  // namespace retrylab
