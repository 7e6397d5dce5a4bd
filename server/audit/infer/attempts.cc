// SPDX-License-Identifier: MIT
#include "server/audit/infer/attempts.h"

#include <algorithm>

namespace retrylab::audit {

AttemptsFound infer_attempts(const Observed& observed) {
  AttemptsFound found;
  const auto* evidence = observed.of("audit-unavailable");
  if (evidence == nullptr) return found;
  std::optional<std::size_t> fewest;
  std::size_t most = 0;
  for (const verify::RunEvidence& run : evidence->runs) {
    for (const verify::OperationEvidence& operation : run.operations) {
      std::size_t tries = 0;
      for (const verify::Chain& chain : operation.chains) tries += chain.tries();
      most = std::max(most, tries);
      ++found.operations;
      if (was_stopped(run)) {
        found.without_end = true;
      } else {
        fewest = std::min(fewest.value_or(tries), tries);
      }
    }
  }
  if (most == 0) return found;
  found.most = static_cast<std::uint32_t>(most);
  found.varies = fewest && *fewest < most;
  return found;
}

}  // namespace retrylab::audit
