// SPDX-License-Identifier: MIT
#include "server/audit/infer/times.h"

#include <algorithm>
#include <vector>

#include "server/audit/infer/round_value.h"
#include "server/verify/statistics/statistics.h"

namespace retrylab::audit {
namespace {

using namespace std::chrono_literals;

constexpr double kRounding = 0.02;
// Shorter than the others by more than that, and something else than its own time limit ended it.
constexpr Duration kCut = 100ms;
constexpr double kCutShare = 0.95;

// How long the client stayed; nothing when it did not leave by itself.
std::optional<Duration> patience(const verify::AttemptEvidence& attempt) {
  const journal::Attempt& record = *attempt.record;
  if (!record.body_read || !record.delivered.peer_left) return std::nullopt;
  return *record.delivered.peer_left - record.first_byte;
}

struct Seen {
  std::vector<double> limits;     // of attempts, in seconds
  std::vector<double> deadlines;  // of operations
};

void note(const verify::OperationEvidence& operation, bool stopped, Seen& seen) {
  std::vector<Duration> stays;
  const std::size_t count = operation.attempts.size();
  for (std::size_t i = 0; i < count; ++i) {
    // What was stopped from outside did not leave by itself.
    if (stopped && i + 1 == count) break;
    if (const auto stay = patience(operation.in_order(i))) stays.push_back(*stay);
  }
  if (stays.empty()) return;
  // Some clients hold a connection that timed out through the wait that follows: the shortest stay
  // is the time limit, the last aside, which a deadline may have cut.
  const Duration last = stays.back();
  if (stays.size() > 1) stays.pop_back();
  const Duration limit = *std::ranges::min_element(stays);
  const double seconds = std::chrono::duration<double>(limit).count();
  seen.limits.push_back(seconds);
  const bool is_cut =
      last < limit - kCut && std::chrono::duration<double>(last).count() < kCutShare * seconds;
  if (stopped || !is_cut) return;
  const auto& record = *operation.last().record;
  seen.deadlines.push_back(
      std::chrono::duration<double>(*record.delivered.peer_left - operation.first().first_byte)
          .count());
}

std::optional<Duration> middle(const std::vector<double>& seconds) {
  if (seconds.empty()) return std::nullopt;
  const double median = verify::statistics::median(seconds);
  return round_value(std::chrono::duration_cast<Duration>(std::chrono::duration<double>(median)),
                     kRounding);
}

}  // namespace

TimesFound infer_times(const Observed& observed) {
  TimesFound found;
  const auto* evidence = observed.of("audit-stall");
  if (evidence == nullptr) return found;
  Seen seen;
  for (const verify::RunEvidence& run : evidence->runs) {
    for (const verify::OperationEvidence& operation : run.operations) {
      note(operation, was_stopped(run), seen);
      const auto& clients = run.record->clients;
      const auto ended = clients.empty() ? run.record->ended : clients.front().ended;
      if (ended) found.watched = std::max(found.watched, *ended - operation.first().first_byte);
    }
  }
  found.attempt_timeout = middle(seen.limits);
  found.deadline = middle(seen.deadlines);
  return found;
}

}  // namespace retrylab::audit
