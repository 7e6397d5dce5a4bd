// SPDX-License-Identifier: MIT
#include "server/journal/fingerprint.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <functional>

namespace retrylab::journal {
namespace {

std::uint64_t first_bytes(const Sha256& digest) {
  std::uint64_t number = 0;
  std::memcpy(&number, digest.data(), sizeof(number));
  return number == 0 ? 1 : number;
}

std::optional<std::uint64_t> leading_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> aws_retries(std::string_view value) {
  constexpr std::string_view kPrefix = "attempt=";
  if (!value.starts_with(kPrefix)) return std::nullopt;
  const auto number = leading_number(value.substr(kPrefix.size()));
  if (!number || *number == 0) return std::nullopt;
  return *number - 1;
}

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// All names of interest begin with one of these.
bool begins_a_known_name(char letter) {
  constexpr std::string_view kLetters = "xXaAgG";
  return std::ranges::find(kLetters, letter) != kLetters.end();
}

void read_header(std::string_view name, std::string_view value, Announced& announced) {
  if (same_name(name, "X-Op-Id") || same_name(name, "amz-sdk-invocation-id")) {
    if (announced.invocation.empty()) announced.invocation = without_blanks(value);
  } else if (same_name(name, "amz-sdk-request")) {
    announced.retries = aws_retries(without_blanks(value));
  } else if (same_name(name, "grpc-previous-rpc-attempts") || same_name(name, "X-Retry-Attempt") ||
             same_name(name, "x-stainless-retry-count")) {
    announced.retries = leading_number(without_blanks(value));
  }
}

}  // namespace

std::uint64_t hash_of(std::string_view text) {
  const std::uint64_t hash = std::hash<std::string_view>()(text);
  return hash == 0 ? 1 : hash;
}

Fingerprint fingerprint_of(const Attempt& attempt) {
  return {.request = hash_of(attempt.target) ^ (hash_of(attempt.method) * 0x9e3779b97f4a7c15U),
          .body = attempt.body_sha256 ? first_bytes(*attempt.body_sha256) : 0,
          .key = attempt.key.empty() ? 0 : hash_of(attempt.key)};
}

Announced announced_by(const Attempt& attempt) {
  Announced announced;
  const std::string_view head = attempt.head;
  std::size_t end = head.find('\n');
  while (end != std::string_view::npos && end + 1 < head.size()) {
    const std::size_t begin = end + 1;
    end = head.find('\n', begin);
    if (!begins_a_known_name(head[begin])) continue;
    const std::string_view line = head.substr(begin, end - begin);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    read_header(line.substr(0, colon), line.substr(colon + 1), announced);
  }
  return announced;
}

}  // namespace retrylab::journal
