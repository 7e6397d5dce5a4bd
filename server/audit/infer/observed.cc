// SPDX-License-Identifier: MIT
#include "server/audit/infer/observed.h"

#include <algorithm>

namespace retrylab::audit {

using Outcome = journal::ClientEnd::Outcome;

Observed::Observed(std::span<const Case> cases) {
  for (const Case& one : cases) {
    if (one.runs.empty()) continue;
    auto evidence = std::make_unique<verify::Evidence>(one.scenario, one.runs);
    if (evidence->chains.size() == 0) continue;
    evidence_.emplace(one.scenario.name, std::move(evidence));
  }
}

const verify::Evidence* Observed::of(std::string_view scenario) const {
  const auto found = evidence_.find(scenario);
  return found == evidence_.end() ? nullptr : found->second.get();
}

bool was_stopped(const verify::RunEvidence& run) {
  return std::ranges::any_of(run.record->clients, [](const journal::ClientEnd& end) {
    return end.outcome == Outcome::hung || end.outcome == Outcome::signalled ||
           end.outcome == Outcome::interrupted;
  });
}

bool ended_by_itself(const verify::RunEvidence& run) {
  return !run.record->clients.empty() && !was_stopped(run);
}

}  // namespace retrylab::audit
