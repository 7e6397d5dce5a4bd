// SPDX-License-Identifier: MIT
#include "server/audit/infer/infer.h"

#include <utility>

#include "server/audit/infer/attempts.h"
#include "server/audit/infer/backoff.h"
#include "server/audit/infer/keys.h"
#include "server/audit/infer/observed.h"
#include "server/audit/infer/reactions.h"
#include "server/audit/infer/refused.h"
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
  if (auto refused = infer_refused(observed, findings.backoff)) {
    findings.reactions.push_back(std::move(*refused));
  }
  findings.waits = infer_waits(observed, findings);
  findings.times = infer_times(observed);
  findings.keys = infer_keys(observed);
  findings.resends = infer_resends(observed);
  return findings;
}

}  // namespace retrylab::audit
