// SPDX-License-Identifier: MIT
// The client's own waits, as samples for the statistics.
#include "server/verify/evidence_part.h"

namespace retrylab::verify {
namespace {

// More lateness than that at the ends of a wait, and it is no sample.
constexpr Duration kBlurMax = std::chrono::milliseconds(5);

bool is_blurred(const Gap& gap) {
  return gap.has_blind_spot || gap.lag_at_ends > kBlurMax;
}

Sample sample_of(const Evidence& evidence, const Chain& chain, const Gap& gap,
                 std::optional<Duration> previous) {
  const Settings& settings = evidence.settings;
  Sample sample{.gap = &gap, .chain = &chain, .time = *gap.wait_at_most, .previous = previous};
  const auto top = ceiling(settings, gap.retry);
  const bool may_count_otherwise = gap.asked_before > 0;
  if (may_count_otherwise && top != ceiling(settings, own_retry(gap))) return sample;
  sample.ceiling = top;
  if (settings.decorrelated && !previous && gap.retry > 1) return sample;
  if (const auto band = wait_band(settings, gap.retry, previous);
      band && band->most > band->least) {
    sample.share = std::chrono::duration<double>(sample.time - band->least) /
                   std::chrono::duration<double>(band->most - band->least);
  }
  return sample;
}

}  // namespace

bool is_retry_status(int status) {
  return status == 408 || status == 425 || status == 429 || status / 100 == 5;
}

bool is_own_wait(const Gap& gap) {
  const AttemptEvidence& before = *gap.before;
  if (gap.is_resend || !gap.wait_at_most || before.asked.kind != RetryAfter::Kind::absent) {
    return false;
  }
  if (before.has_hints) return false;
  return before.seen.broken() || is_retry_status(before.seen.status);
}

void take_samples(const Evidence& evidence, EvidencePart& part) {
  for (const Chain& chain : part.chains) {
    if (!evidence.operation_of(chain.first()).certain) continue;
    std::optional<Duration> previous;
    for (const Gap& gap : chain.gaps) {
      const bool is_own = is_own_wait(gap);
      if (is_own && is_blurred(gap)) {
        ++part.blurred[gap.retry];
      } else if (is_own) {
        part.samples.push_back(sample_of(evidence, chain, gap, previous));
      }
      previous = is_own ? gap.wait_at_most : std::nullopt;
    }
  }
}

}  // namespace retrylab::verify
