// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "server/verify/rules/all.h"
#include "server/verify/rules/keys.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

constexpr std::size_t kLongest = 255;

// sf-string = DQUOTE *( %x20-21 / %x23-5B / %x5D-7E / "\" ( DQUOTE / "\" ) ) DQUOTE
bool is_structured_string(std::string_view key) {
  if (key.size() < 2 || key.front() != '"' || key.back() != '"') return false;
  key = key.substr(1, key.size() - 2);
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (key[i] == '"' || key[i] < ' ' || key[i] > '~') return false;
    if (key[i] != '\\') continue;
    if (++i == key.size() || (key[i] != '"' && key[i] != '\\')) return false;
  }
  return true;
}

bool is_printable(std::string_view key) {
  return std::ranges::all_of(key, [](char letter) { return letter >= ' ' && letter <= '~'; });
}

std::size_t key_lines(const AttemptEvidence& attempt, std::string_view name) {
  const Headers headers = attempt.record->headers();
  return static_cast<std::size_t>(std::ranges::count_if(
      headers, [&](const Header& header) { return same_name(header.name, name); }));
}

std::string trouble_with(const Evidence& evidence, const AttemptEvidence& attempt) {
  const std::string& key = attempt.record->key;
  if (key.size() > kLongest) return fmt::format("has {} letters", key.size());
  if (!is_printable(key)) return "has bytes that are no printable ASCII";
  const scenario::Idempotency* store = store_of(evidence, attempt);
  if (store != nullptr && key_lines(attempt, store->header) > 1) {
    return "stands in more than one header line";
  }
  const bool must_be_quoted = store != nullptr && store->strict_syntax;
  return must_be_quoted && !is_structured_string(key) ? "is not a quoted string" : "";
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  std::uint64_t looked_at = 0;
  for (const AttemptEvidence& attempt : evidence.attempts) {
    // The same key as just before, as on every retry, is as right as it was.
    if (!attempt.has_key || attempt.print.key == looked_at) continue;
    looked_at = attempt.print.key;
    const std::string trouble = trouble_with(evidence, attempt);
    if (trouble.empty()) {
      tally.kept(attempt);
      continue;
    }
    tally.broke(attempt, std::nullopt, [&] {
      return Finding{"a key that every server takes",
                     fmt::format("the key of {} {}", name_of(evidence, attempt), trouble),
                     "Send a UUID, in double quotes where the server is strict."};
    });
  }
  return tally.result({.expected = fmt::format("a printable key of at most {} letters", kLongest),
                       .none = "no attempt had a key"});
}

}  // namespace

constinit const Rule kId6{
    .id = "ID-6",
    .statement = "The key is written as a server can take it",
    .source = "draft-ietf-httpapi-idempotency-key-header §2.1; RFC 9651 §3.3.3",
    .parameters = "route.idempotency: strict syntax",
    .decision =
        "Fails beyond 255 letters, outside printable ASCII, or in more than one header line; on a "
        "strict route also when it is "
        "not a quoted string. Elsewhere a bare key is fine.",
    .judge = judge};

}  // namespace retrylab::verify::rules
