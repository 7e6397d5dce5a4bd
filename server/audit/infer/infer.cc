// SPDX-License-Identifier: MIT
#include "server/audit/infer/infer.h"

#include "server/audit/infer/attempts.h"
#include "server/audit/infer/backoff.h"
#include "server/audit/infer/keys.h"
#include "server/audit/infer/observed.h"
#include "server/audit/infer/reactions.h"
#include "server/audit/infer/resends.h"
#include "server/audit/infer/times.h"
#include "server/audit/infer/waits.h"

namespace retrylab::audit {

Findings infer(std::span<const Case> cases) {
  const Observed observed(cases);
  Findings findings;
  findings.attempts = infer_attempts(observed);
  findings.backoff = infer_backoff(observed);
  findings.reactions = infer_reactions(observed);
  findings.waits = infer_waits(observed, findings.backoff, findings.reactions);
  findings.times = infer_times(observed);
  findings.keys = infer_keys(observed);
  findings.resends = infer_resends(observed);
  return findings;
}

}  // namespace retrylab::audit
