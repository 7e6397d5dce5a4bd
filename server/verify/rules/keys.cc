// SPDX-License-Identifier: MIT
#include "server/verify/rules/keys.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "client_lib/base/http.h"

namespace retrylab::verify {
namespace {

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}
bool is_hex(char letter) {
  return is_digit(letter) || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
}

// In tenths of a bit.
int tenths_per_letter(std::string_view key) {
  const auto is_separator = [](char letter) { return letter == '-' || letter == '"'; };
  const auto all = [&](auto test) {
    return std::ranges::all_of(key, [&](char c) { return is_separator(c) || test(c); });
  };
  if (all(is_digit)) return 33;
  if (all(is_hex)) return 40;
  return 52;  // letters of one case and digits
}

// What stands before the number at the end of a key, and the number.
std::optional<std::pair<std::string_view, std::uint64_t>> split_number(std::string_view key) {
  if (key.ends_with('"')) key.remove_suffix(1);
  std::size_t from = key.size();
  while (from > 0 && key.size() - from < 18 && is_digit(key[from - 1])) --from;
  std::uint64_t number = 0;
  const auto digits = key.substr(from);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc()) return std::nullopt;
  return std::pair(key.substr(0, from), number);
}

const scenario::Route* route_of(const Evidence& evidence, const AttemptEvidence& attempt) {
  const auto& routes = evidence.scenario.routes;
  const auto found = std::ranges::find_if(routes, [&](const scenario::Route& route) {
    return route.on.text == attempt.record->planned.route;
  });
  return found == routes.end() ? nullptr : &*found;
}

}  // namespace

const AttemptEvidence* first_with_own_key(const Chain& chain) {
  for (const AttemptEvidence& attempt : chain.attempts) {
    if (attempt.has_key) return &attempt;
    if (attempt.source != journal::Source::key_missing) return nullptr;
  }
  return nullptr;
}

const scenario::Idempotency* store_of(const Evidence& evidence, const AttemptEvidence& attempt) {
  const scenario::Route* route = route_of(evidence, attempt);
  return route != nullptr && route->idempotency ? &*route->idempotency : nullptr;
}

bool needs_key(const Evidence& evidence, const AttemptEvidence& attempt) {
  const scenario::Route* route = route_of(evidence, attempt);
  const bool has_store = route == nullptr || route->idempotency;
  return has_store && !is_safe_method(attempt.record->method);
}

Duration key_lifetime(const Evidence& evidence, const AttemptEvidence& attempt) {
  const scenario::Idempotency* store = store_of(evidence, attempt);
  return store != nullptr ? store->ttl : kForever;
}

bool is_after_expiry(const Evidence& evidence, const AttemptEvidence& first,
                     const AttemptEvidence& again) {
  const Instant forgotten = saturating_add(first.first_byte, key_lifetime(evidence, first));
  return first.record->run == again.record->run && again.first_byte > forgotten;
}

int apparent_bits(std::string_view key) {
  const auto letters = std::ranges::count_if(key, [](char c) { return c != '-' && c != '"'; });
  return static_cast<int>(letters) * tenths_per_letter(key) / 10;
}

bool are_sequential(std::span<const std::string_view> keys) {
  if (keys.size() < 3) return false;
  std::vector<std::uint64_t> numbers;
  std::optional<std::string_view> stem;
  for (const std::string_view key : keys) {
    const auto split = split_number(key);
    if (!split || (stem && *stem != split->first)) return false;
    stem = split->first;
    numbers.push_back(split->second);
  }
  std::ranges::sort(numbers);
  return numbers.back() - numbers.front() < 2 * numbers.size();
}

}  // namespace retrylab::verify
