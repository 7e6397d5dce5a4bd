// SPDX-License-Identifier: MIT
#include "client_lib/retry/server_wait.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "client_lib/retry/retry_after.h"

namespace retrylab {
namespace {

// Above this many seconds a "reset" cannot be a delta: it is an epoch time (a value of 10^9 s
// would be 31 years).
constexpr std::int64_t kEpochFrom = 1'000'000'000;
// ... and above this one an epoch time in milliseconds.
constexpr std::int64_t kEpochMillisFrom = 1'000'000'000'000;

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

std::optional<std::int64_t> count(std::string_view text) {
  const auto number = whole_number(text);
  return number && *number >= 0 ? number : std::nullopt;
}

// The value of the only field of that name.
std::optional<std::string_view> only(const Headers& headers, std::string_view name) {
  if (count_header(headers, name) != 1) return std::nullopt;
  return find_header(headers, name);
}

ServerWait wait_for(Duration unit, std::int64_t amount) {
  return {.kind = ServerWait::Kind::wait, .wait = saturating_multiply(unit, amount)};
}

ServerWait from_retry_after(const Headers& headers, WallTime received) {
  const RetryAfter found = find_retry_after(headers, received);
  if (!found.valid()) return {};
  return {.kind = ServerWait::Kind::wait, .wait = found.wait};
}

ServerWait from_millis(const Headers& headers, std::string_view name) {
  const auto value = only(headers, name);
  const auto millis = value ? count(*value) : std::nullopt;
  return millis ? wait_for(std::chrono::milliseconds(1), *millis) : ServerWait();
}

ServerWait from_pushback(const Headers& headers) {
  const auto value = find_header(headers, "grpc-retry-pushback-ms");
  if (!value) return {};
  const auto millis = whole_number(*value);
  if (!millis || *millis < 0 || *millis > INT32_MAX) return {.kind = ServerWait::Kind::no_retry};
  ServerWait found = wait_for(std::chrono::milliseconds(1), *millis);
  found.pushback = true;
  return found;
}

// The number after `;t=` (draft-ietf-httpapi-ratelimit-headers-10) or `reset=` (-07): a small
// reading of the structured field that takes the first member's value.
std::optional<std::int64_t> parameter(std::string_view field, std::string_view name) {
  std::size_t at = field.find(name);
  while (at != std::string_view::npos) {
    const bool starts =
        at == 0 || field[at - 1] == ';' || field[at - 1] == ',' || field[at - 1] == ' ';
    const std::string_view rest = field.substr(at + name.size());
    if (starts) return count(rest.substr(0, rest.find_first_not_of("0123456789")));
    at = field.find(name, at + 1);
  }
  return std::nullopt;
}

ServerWait from_ratelimit(const Headers& headers) {
  std::optional<std::int64_t> seconds;
  if (const auto field = only(headers, "RateLimit")) {
    seconds = parameter(*field, "t=");
    if (!seconds) seconds = parameter(*field, "reset=");
  }
  if (!seconds) {
    if (const auto field = only(headers, "RateLimit-Reset")) seconds = count(*field);
  }
  return seconds ? wait_for(std::chrono::seconds(1), *seconds) : ServerWait();
}

ServerWait until_epoch(Duration since_1970, WallTime received) {
  const Duration wait = since_1970 - std::max(received.time_since_epoch(), Duration(0));
  return {.kind = ServerWait::Kind::wait, .wait = std::max(wait, Duration(0))};
}

ServerWait from_reset(const Headers& headers, WallTime received) {
  auto field = only(headers, "X-RateLimit-Reset");
  if (!field) field = only(headers, "X-Rate-Limit-Reset");
  const auto value = field ? count(*field) : std::nullopt;
  if (!value) return {};
  if (*value >= kEpochMillisFrom) {
    return until_epoch(saturating_multiply(std::chrono::milliseconds(1), *value), received);
  }
  if (*value >= kEpochFrom) {
    return until_epoch(saturating_multiply(std::chrono::seconds(1), *value), received);
  }
  return wait_for(std::chrono::seconds(1), *value);
}

}  // namespace

ServerWait find_server_wait(const Headers& headers, const WaitHeaders& which, WallTime received) {
  constexpr ServerWait::Kind kNone = ServerWait::Kind::none;
  ServerWait found;
  if (which.retry_after) found = from_retry_after(headers, received);
  if (found.kind == kNone && which.retry_after_ms) found = from_millis(headers, "retry-after-ms");
  if (found.kind == kNone && which.x_amz_retry_after) {
    found = from_millis(headers, "x-amz-retry-after");
  }
  if (found.kind == kNone && which.grpc_retry_pushback) found = from_pushback(headers);
  if (found.kind == kNone && which.ratelimit) found = from_ratelimit(headers);
  if (found.kind == kNone && which.x_ratelimit_reset) found = from_reset(headers, received);
  return found;
}

}  // namespace retrylab
