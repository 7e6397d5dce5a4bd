// SPDX-License-Identifier: MIT
#include "server/verify/rules/breaker.h"

#include <algorithm>

#include "server/verify/timing.h"

namespace retrylab::verify {
namespace {

std::vector<const AttemptEvidence*> in_order_of_arrival(const RunEvidence& run) {
  std::vector<const AttemptEvidence*> attempts;
  for (const OperationEvidence& operation : run.operations) {
    for (const AttemptEvidence& attempt : operation.attempts) attempts.push_back(&attempt);
  }
  std::ranges::stable_sort(attempts, {},
                           [](const AttemptEvidence* one) { return one->record->first_byte; });
  return attempts;
}

// 4xx but 429 says that the server is well (CB-6).
bool is_failure(const AttemptEvidence& attempt) {
  const int status = attempt.seen.status;
  return attempt.seen.until && (attempt.seen.broken() || status == 429 || status / 100 == 5);
}

Opening open_at(const AttemptEvidence& failure, Duration lasts) {
  return {.last_failure = &failure,
          .from = *failure.seen.until + kLateTolerance,
          .until = *failure.seen.from + lasts - kEarlyAdvice};
}

}  // namespace

std::vector<Opening> openings_of(const RunEvidence& run, const scenario::ExpectSilence& silence) {
  const auto attempts = in_order_of_arrival(run);
  std::vector<Opening> openings;
  std::uint64_t failures = 0;
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    failures = is_failure(*attempts[i]) ? failures + 1 : 0;
    if (failures < silence.after) continue;
    failures = 0;
    Opening opening = open_at(*attempts[i], silence.lasts);
    opening.is_probe = !openings.empty() && !openings.back().probes.empty() &&
                       openings.back().probes.front() == attempts[i];
    std::size_t next = i + 1;
    while (next < attempts.size() && attempts[next]->record->first_byte < opening.until) {
      const bool was_on_its_way = attempts[next]->record->first_byte <= opening.from;
      if (!was_on_its_way && opening.intruder == nullptr) opening.intruder = attempts[next];
      ++next;
    }
    const bool is_half_open = next < attempts.size();
    const Instant answered = is_half_open ? attempts[next]->seen.from.value_or(kNever) : kNever;
    for (std::size_t j = next; j < attempts.size(); ++j) {
      if (attempts[j]->record->first_byte >= answered) break;
      opening.probes.push_back(attempts[j]);
    }
    // A failed probe opens it again at once.
    const bool reopens = is_half_open && is_failure(*attempts[next]);
    openings.push_back(std::move(opening));
    if (next == 0 || next >= attempts.size()) break;
    if (reopens) failures = silence.after - 1;
    i = next - 1;
  }
  return openings;
}

double depth_of(const Opening& opening, const AttemptEvidence& attempt) {
  const auto into = std::chrono::duration<double>(attempt.record->first_byte - opening.from);
  return into / std::chrono::duration<double>(opening.until - opening.from);
}

}  // namespace retrylab::verify
