// SPDX-License-Identifier: MIT
#include "client_lib/retry/retry_after.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "client_lib/base/http_date.h"

namespace retrylab {
namespace {

constexpr std::string_view kName = "Retry-After";

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

// The blanks around a field value are not part of it (RFC 9110 §5.5).
std::string_view without_blanks(std::string_view value) {
  const auto first = value.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return value.substr(first, value.find_last_not_of(" \t") - first + 1);
}

Duration saturated_seconds(std::string_view digits) {
  constexpr std::int64_t kMost = kForever / std::chrono::seconds(1);
  std::int64_t seconds = 0;
  for (const char digit : digits) {
    seconds = seconds * 10 + (digit - '0');
    if (seconds > kMost) return kForever;
  }
  return std::chrono::seconds(seconds);
}

Duration until(WallTime date, WallTime received) {
  if (date <= received) return Duration(0);
  const auto from = received.time_since_epoch();
  if (from < Duration(0) && date.time_since_epoch() > kForever + from) return kForever;
  return date - received;
}

// Merges the lines of one message: a second line makes the field invalid.
class Lines {
 public:
  void add(std::string_view line) {
    value_ = line;
    ++count_;
  }
  RetryAfter parse(WallTime received) const {
    if (count_ == 0) return {};
    if (count_ > 1) return {.kind = RetryAfter::Kind::invalid};
    return parse_retry_after(value_, received);
  }

 private:
  std::string_view value_;
  int count_ = 0;
};

}  // namespace

RetryAfter parse_retry_after(std::string_view value, WallTime received) {
  value = without_blanks(value);
  if (!value.empty() && std::ranges::all_of(value, is_digit)) {
    return {.kind = RetryAfter::Kind::seconds, .wait = saturated_seconds(value)};
  }
  const std::optional<WallTime> date = parse_http_date(value, received);
  if (!date) return {.kind = RetryAfter::Kind::invalid};
  return {.kind = RetryAfter::Kind::date,
          .wait = until(*date, received),
          .date = *date,
          .past = *date < received};
}

RetryAfter find_retry_after(const Headers& headers, WallTime received) {
  Lines lines;
  for (const Header& header : headers) {
    if (same_name(header.name, kName)) lines.add(header.value);
  }
  return lines.parse(received);
}

RetryAfter find_retry_after(std::span<const std::string> values, WallTime received) {
  Lines lines;
  for (const std::string& value : values) lines.add(value);
  return lines.parse(received);
}

}  // namespace retrylab
