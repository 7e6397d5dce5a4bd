// SPDX-License-Identifier: MIT
// What the plain expectations have in common: numbers that a scenario states outright.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "server/verify/evidence.h"
#include "server/verify/rules/tally.h"

namespace retrylab::verify {

// How many attempts a result names at most.
inline constexpr std::size_t kEvidenceMax = 100;

// The scenario does not say anything of it.
RuleResult not_declared();

// fail above inconclusive above advice above pass above not_applicable.
int weight(Status status);

// Kept, unless a fault planned for one of its attempts did not take place.
void keep_operation(const OperationEvidence& operation, Tally& tally);

// The run was told to stop while its client was at work: what is missing is not the client's fault.
bool was_interrupted(const OperationEvidence& operation);
bool was_interrupted(const RunEvidence& run);

// There may have been more than was seen: the client may still be waiting, or attempts were lost.
// Too few proves nothing then.
bool may_be_incomplete(const Evidence& evidence, const OperationEvidence& operation);

struct RunCount {
  std::string_view noun;  // "connection"
  std::string of;         // " at POST /pay"
  std::string_view advice;
  bool is_complete = false;  // dropping journal entries does not change it
};

// The number of something in each run. Without a range: not declared.
RuleResult judge_run_counts(const Evidence& evidence,
                            const std::optional<scenario::CountRange>& range, const RunCount& what,
                            const std::function<std::uint64_t(const RunEvidence&)>& count);

}  // namespace retrylab::verify
