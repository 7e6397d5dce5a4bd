// SPDX-License-Identifier: MIT
#include "server/audit/infer/resends.h"

namespace retrylab::audit {
namespace {

// A request that was cut on a connection that was kept alive: what came of it. Unknown where the
// client opens a connection for every attempt.
Answer resends(const verify::Evidence* evidence) {
  if (evidence == nullptr) return Answer::unknown;
  Answer answer = Answer::unknown;
  for (const verify::Gap& gap : evidence->gaps) {
    if (gap.before->source != journal::Source::connection) continue;
    if (gap.is_resend) return Answer::yes;
    answer = Answer::no;
  }
  // Cut, and nothing followed.
  for (const verify::Chain& chain : evidence->chains) {
    if (chain.last().source == journal::Source::connection) answer = Answer::no;
  }
  return answer;
}

}  // namespace

ResendsFound infer_resends(const Observed& observed) {
  return {.safe = resends(observed.of("audit-stale")),
          .post = resends(observed.of("audit-post-stale"))};
}

}  // namespace retrylab::audit
