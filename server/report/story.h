// SPDX-License-Identifier: MIT
// One attempt, one client and one resource in words, for every report that people read. All
// results are printable: nothing a client sent comes out as a control sequence.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client_lib/base/time.h"
#include "server/report/report.h"

namespace retrylab::report {

// Finds the attempts that a verdict points at.
class Lookup {
 public:
  // `runs` outlives it.
  explicit Lookup(std::span<const journal::Run> runs) : runs_(runs) {}

  const journal::Run* run(std::uint32_t number) const;
  // Null when the journal has dropped it.
  const journal::Attempt* attempt(verify::AttemptRef ref) const;

 private:
  std::span<const journal::Run> runs_;
};

// Since the run's time zero.
Duration since_zero(const journal::Run& run, Instant at);

// From the answer of `before` (or from when its client left) to the first byte of `after`; the
// lower bound of RULES.md B0. Negative when they overlap; nothing when `before` never ended.
std::optional<Duration> gap(const journal::Attempt& before, const journal::Attempt& after);

// "POST /v1/payments", and the beginning of the key on a route that has a store.
std::string request_words(const journal::Attempt& attempt);

// "503 Service Unavailable · Retry-After: 2 · reset at response_start".
std::string server_words(const journal::Run& run, const journal::Attempt& attempt);

// "succeeded (exit 0)", "hung: stopped by the time limit".
std::string client_words(const journal::ClientEnd& client);

// Ids usually begin with their kind: "payment_1", else "payment 17".
std::string resource_name(std::string_view kind, std::string_view id);

// "payment_1 by attempt 3".
std::string resource_words(const journal::Resource& resource);

// The attempts that show it, the first few: "2, 3", or "run 1: 2, 3; run 4: 2" where they are of
// other runs than the first.
std::string evidence_words(const verify::RuleResult& rule);

// What told operations apart: "client process", "method, target and body".
std::string_view grouping_words(verify::Grouping grouping);

// "1 operation", "2 operations".
std::string counted(std::uint64_t count, std::string_view noun);

// The ids of the rules with that status, in order: "RA-1, BO-3".
std::string rule_ids(const verify::Verdict& verdict, verify::Status status);

}  // namespace retrylab::report
