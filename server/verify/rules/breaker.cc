// SPDX-License-Identifier: MIT
#include "server/verify/rules/breaker.h"

#include <algorithm>

#include "server/verify/timing.h"

namespace retrylab::verify {
namespace {

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

// From that attempt until it was answered; it is one itself though that took no time.
std::vector<const AttemptEvidence*> probes_from(const std::vector<const AttemptEvidence*>& attempts,
                                                std::size_t first) {
  const Instant answered = attempts[first]->seen.from.value_or(kNever);
  std::vector<const AttemptEvidence*> probes{attempts[first]};
  for (std::size_t i = first + 1; i < attempts.size(); ++i) {
    if (attempts[i]->first_byte >= answered) break;
    probes.push_back(attempts[i]);
  }
  return probes;
}

}  // namespace

std::vector<const AttemptEvidence*> in_order_of_arrival(const RunEvidence& run) {
  std::vector<const AttemptEvidence*> attempts;
  for (const OperationEvidence& operation : run.operations) {
    for (const AttemptEvidence& attempt : operation.attempts) attempts.push_back(&attempt);
  }
  std::ranges::stable_sort(attempts, {},
                           [](const AttemptEvidence* one) { return one->first_byte; });
  return attempts;
}

std::vector<Opening> openings_of(const RunEvidence& run, const scenario::ExpectSilence& silence) {
  const auto attempts = in_order_of_arrival(run);
  std::vector<Opening> openings;
  std::uint64_t failures = 0;
  bool reopens = false;
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    failures = is_failure(*attempts[i]) ? failures + 1 : 0;
    if (failures < silence.after) continue;
    failures = 0;
    Opening opening = open_at(*attempts[i], silence.lasts);
    opening.is_probe = reopens;
    std::size_t next = i + 1;
    while (next < attempts.size() && attempts[next]->first_byte < opening.until) {
      const bool was_on_its_way = attempts[next]->first_byte <= opening.from;
      if (!was_on_its_way && opening.intruder == nullptr) opening.intruder = attempts[next];
      ++next;
    }
    openings.push_back(std::move(opening));
    // After a silence that was not kept nobody knows what the breaker is at.
    if (openings.back().intruder != nullptr || next == attempts.size()) break;
    openings.back().probes = probes_from(attempts, next);
    // A failed probe opens it again at once.
    reopens = is_failure(*attempts[next]);
    if (reopens) failures = silence.after - 1;
    i = next - 1;
  }
  return openings;
}

RuleResult judge_openings(const Evidence& evidence, const Outline& outline,
                          void (*judge)(const Evidence&, const Opening&, Tally&)) {
  const auto& silence = evidence.scenario.expect.silence;
  if (!silence) {
    return {.expected = outline.expected, .observed = "no breaker is declared: say silence"};
  }
  Tally tally(evidence);
  for (const RunEvidence& run : evidence.runs) {
    for (const Opening& opening : openings_of(run, *silence)) judge(evidence, opening, tally);
  }
  return tally.result(outline);
}

double depth_of(const Opening& opening, const AttemptEvidence& attempt) {
  const auto into = std::chrono::duration<double>(attempt.first_byte - opening.from);
  return into / std::chrono::duration<double>(opening.until - opening.from);
}

}  // namespace retrylab::verify
