// SPDX-License-Identifier: MIT
#include "server/audit/infer/refused.h"

#include <algorithm>

namespace retrylab::audit {
namespace {

// A client that gave up at the refused connect lived so much shorter than those that never meet
// one. By chance, each of three operations does so once in 455 times beside twelve others.
constexpr double kShorter = 0.8;

// From the first attempt to the end of the process.
std::optional<Duration> lived(const verify::RunEvidence& run) {
  if (run.operations.empty() || run.record->clients.empty()) return std::nullopt;
  const auto& ended = run.record->clients.front().ended;
  if (!ended) return std::nullopt;
  return *ended - run.operations.front().first().first_byte;
}

// The least time that an operation takes in which everything fails and nothing is refused.
std::optional<Duration> shortest_life(const Observed& observed) {
  const auto* evidence = observed.of("audit-unavailable");
  if (evidence == nullptr) return std::nullopt;
  std::optional<Duration> shortest;
  for (const verify::RunEvidence& run : evidence->runs) {
    if (const auto time = lived(run)) shortest = std::min(shortest.value_or(*time), *time);
  }
  return shortest;
}

// The longest that the wait before the first retry can be.
Duration longest_first_wait(const BackoffFound& backoff) {
  if (backoff.first_at_once) return Duration(0);
  if (backoff.jitter == Jitter::decorrelated) return 3 * backoff.base;
  const double above = backoff.jitter == Jitter::proportional ? 1 + backoff.spread : 1;
  return backoff.added +
         std::chrono::duration_cast<Duration>(above * std::chrono::duration<double>(backoff.base));
}

bool came_back(const verify::RunEvidence& run) {
  return std::ranges::any_of(run.operations,
                             [](const auto& operation) { return operation.attempts.size() > 1; });
}

// The first retry, which is never seen, came while the port was closed.
bool was_refused(const verify::RunEvidence& run, const BackoffFound& backoff) {
  if (run.operations.empty() || run.record->pauses.empty()) return false;
  const journal::Attempt& first = *run.operations.front().first().record;
  const Instant answered = first.delivered.r_max.value_or(first.head_read);
  return answered + longest_first_wait(backoff) < run.record->pauses.front().until;
}

Answer after_refusal(const Observed& observed, const verify::Evidence& evidence,
                     const BackoffFound& backoff) {
  if (!backoff.seen) return Answer::unknown;
  const auto shortest = shortest_life(observed);
  bool gave_up = shortest.has_value();
  for (const verify::RunEvidence& run : evidence.runs) {
    if (came_back(run) && was_refused(run, backoff)) return Answer::yes;
    const auto time = lived(run);
    gave_up =
        gave_up && time && ended_by_itself(run) && !came_back(run) &&
        std::chrono::duration<double>(*time) < kShorter * std::chrono::duration<double>(*shortest);
  }
  return gave_up ? Answer::no : Answer::unknown;
}

}  // namespace

std::optional<Reaction> infer_refused(const Observed& observed, const BackoffFound& backoff) {
  const auto* evidence = observed.of("audit-refused");
  if (evidence == nullptr) return std::nullopt;
  const auto& first = (*evidence->chains.begin()).first();
  return Reaction{.what = "refused",
                  .method = first.record->method,
                  .has_key = !first.record->key.empty(),
                  .retried = after_refusal(observed, *evidence, backoff)};
}

}  // namespace retrylab::audit
