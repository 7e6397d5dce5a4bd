// SPDX-License-Identifier: MIT
#include "server/journal/arrival.h"

#include <algorithm>
#include <utility>

#include "client_lib/retry/retry_after.h"
#include "server/journal/seen.h"

namespace retrylab::journal {
namespace {

// For how long after its answer an attempt may still be followed by a retry.
Duration patience(const Run& run, const Attempt& attempt, Instant known, Duration longest_wait) {
  if (attempt.planned.retry_after.empty()) return longest_wait;
  const WallTime received = run.wall_origin + known.time_since_epoch();
  const RetryAfter asked = find_retry_after(attempt.planned.retry_after, received);
  return asked.wait > kForever - longest_wait ? kForever : asked.wait + longest_wait;
}

void learn_outcome(const Run& run, const GroupingOptions& options, Arrival& arrival) {
  const Seen seen = seen_of(*arrival.attempt);
  arrival.is_redirect = seen.answered() && seen.status / 100 == 3;
  arrival.over = arrival.is_redirect || (seen.success() && seen.status != 202);
  if (!seen.from) return;
  arrival.since = *seen.from;
  arrival.until =
      saturating_add(*seen.from, patience(run, *arrival.attempt, *seen.from, options.longest_wait));
}

}  // namespace

bool is_in_an_operation(const Attempt& attempt) {
  return attempt.planned.source != Source::unmatched && attempt.planned.source != Source::malformed;
}

Label label_of(const Run& run, const GroupingOptions& options, const Attempt& attempt) {
  if (options.one_per_process && run.one_process) return {.by = Grouping::one_process};
  const std::uint64_t process = run.processes > 1 ? attempt.listener : 0;
  if (options.one_per_process && run.processes > 1) {
    return {.by = Grouping::one_process, .process = process};
  }
  if (!attempt.operation.empty()) {
    return {.by = Grouping::scenario, .process = process, .name = attempt.operation};
  }
  const Announced announced = announced_by(attempt);
  if (announced.invocation.empty()) return {.process = process, .retries = announced.retries};
  return {.by = Grouping::invocation_header, .process = process, .name = announced.invocation};
}

std::string name_of(const Run& run, const Label& label) {
  if (label.by != Grouping::one_process) return std::string(label.name);
  return run.processes > 1 ? std::to_string(label.process) : "";
}

Arrival arrival_of(const Run& run, const GroupingOptions& options, std::size_t index) {
  const Attempt& attempt = run.attempts[index];
  const Label label = label_of(run, options, attempt);
  Arrival arrival{.at = attempt.first_byte, .attempt = &attempt, .index = index, .by = label.by};
  if (label.by < Grouping::fingerprint) {
    arrival.name = label.hash();
    return arrival;
  }
  arrival.print = fingerprint_of(attempt);
  arrival.retries = label.retries;
  arrival.connection = attempt.connection;
  learn_outcome(run, options, arrival);
  return arrival;
}

std::vector<Arrival> arrivals_of(const Run& run, const GroupingOptions& options,
                                 const InParallel& in_parallel) {
  std::vector<Arrival> arrivals(run.attempts.size());
  Tasks tasks;
  for (std::size_t first = 0; first < arrivals.size(); first += kArrivalsPerTask) {
    tasks.emplace_back([&, first] {
      const std::size_t last = std::min(first + kArrivalsPerTask, arrivals.size());
      for (std::size_t i = first; i < last; ++i) {
        if (is_in_an_operation(run.attempts[i])) arrivals[i] = arrival_of(run, options, i);
      }
    });
  }
  in_parallel(tasks);
  std::erase_if(arrivals, [](const Arrival& one) { return one.attempt == nullptr; });
  const auto before = [](const Arrival& one, const Arrival& other) {
    return std::pair(one.at, one.index) < std::pair(other.at, other.index);
  };
  if (!std::ranges::is_sorted(arrivals, before)) std::ranges::sort(arrivals, before);
  return arrivals;
}

}  // namespace retrylab::journal
