// SPDX-License-Identifier: MIT
#include "server/verify/evidence.h"

#include <algorithm>
#include <map>
#include <utility>

#include "server/verify/timing.h"

namespace retrylab::verify {
namespace {

using journal::Attempt;
using journal::OperationGroup;
using journal::Run;

// When attempts could not reach the server, or not be seen there.
class BlindSpots {
 public:
  BlindSpots(const scenario::Scenario& scenario, const Run& run) {
    const Instant zero = run.zero.value_or(Instant(Duration(0)));
    for (const scenario::Outage& outage : scenario.outages) {
      if (outage.what == scenario::Outage::Do::answer) continue;
      spots_.emplace_back(zero + outage.from, zero + outage.until);
    }
    for (const journal::Connection& connection : run.connections) {
      const bool is_cut = !connection.planned_faults.empty() && connection.requests == 0;
      if (is_cut) spots_.emplace_back(connection.accepted, connection.accepted);
    }
    std::ranges::sort(spots_);
  }

  bool touch(Instant from, Instant to) const {
    return std::ranges::any_of(
        spots_, [&](const auto& spot) { return spot.first <= to && from <= spot.second; });
  }

 private:
  std::vector<std::pair<Instant, Instant>> spots_;
};

// Puts the attempts of an operation into chains.
class ChainFinder {
 public:
  std::size_t chain_of(const Attempt& attempt) {
    const std::size_t chain = find(attempt);
    if (chain == ends_.size()) ends_.emplace_back(nullptr);
    const Attempt* end = std::exchange(ends_[chain], &attempt);
    const bool is_new_request = end == nullptr || !is_alike(*end, attempt);
    if (is_new_request) by_request_[{attempt.method, attempt.target}] = chain;
    const bool is_new_key = end == nullptr || end->key != attempt.key;
    if (is_new_key && !attempt.key.empty()) by_key_[attempt.key] = chain;
    if (!attempt.planned.location.empty()) by_location_[attempt.planned.location] = chain;
    last_ = chain;
    return chain;
  }

 private:
  static bool is_alike(const Attempt& one, const Attempt& other) {
    return one.method == other.method && one.target == other.target;
  }

  std::size_t find(const Attempt& attempt) const {
    if (ends_.empty()) return 0;
    const Attempt& end = *ends_[last_];
    if (is_alike(end, attempt) || (!attempt.key.empty() && attempt.key == end.key)) return last_;
    if (const auto at = by_key_.find(attempt.key); at != by_key_.end()) return at->second;
    const auto request = by_request_.find({attempt.method, attempt.target});
    if (request != by_request_.end()) return request->second;
    for (const auto& [location, chain] : by_location_) {
      if (location.ends_with(attempt.target)) return chain;
    }
    return ends_.size();
  }

  std::vector<const Attempt*> ends_;
  std::size_t last_ = 0;
  std::map<std::string_view, std::size_t> by_key_;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> by_request_;
  std::map<std::string_view, std::size_t> by_location_;
};

// Fills the vectors of the evidence, run by run. They must not grow later: spans point into them.
class Builder {
 public:
  Builder(Evidence& evidence, const Run& run)
      : evidence_(evidence),
        run_(run),
        lags_(evidence.lags.back()),
        spots_(evidence.scenario, run) {}

  void add(const OperationGroup& group, std::uint32_t number) {
    const auto index = static_cast<std::uint32_t>(evidence_.operations.size());
    OperationEvidence operation{.run = static_cast<std::uint32_t>(evidence_.runs.size()),
                                .number = number,
                                .name = group.name,
                                .by = group.by,
                                .certain = group.certain,
                                .client = client_of(group)};
    const std::size_t first = evidence_.attempts.size();
    const std::size_t first_chain = evidence_.chains.size();
    for (const auto& chain : chains_of(group, operation)) add_chain(chain, index);
    operation.attempts = std::span(evidence_.attempts).subspan(first);
    operation.chains = std::span(evidence_.chains).subspan(first_chain);
    evidence_.operations.push_back(std::move(operation));
  }

 private:
  struct Link {
    std::size_t attempt;   // index into the run
    std::uint32_t number;  // in order of arrival
  };

  std::vector<std::vector<Link>> chains_of(const OperationGroup& group,
                                           OperationEvidence& operation) const {
    std::vector<std::vector<Link>> chains;
    ChainFinder finder;
    std::uint32_t number = 0;
    for (const std::size_t index : group.attempts) {
      const std::size_t chain = finder.chain_of(run_.attempts[index]);
      if (chain == chains.size()) chains.emplace_back();
      chains[chain].push_back({index, ++number});
    }
    if (chains.size() < 2) return chains;
    operation.order.resize(group.attempts.size());
    std::uint32_t position = 0;
    for (const auto& chain : chains) {
      for (const Link& link : chain) operation.order[link.number - 1] = position++;
    }
    return chains;
  }

  void add_chain(const std::vector<Link>& links, std::uint32_t operation) {
    const std::size_t first = evidence_.attempts.size();
    for (const Link& link : links) {
      evidence_.attempts.push_back(attempt_evidence(run_.attempts[link.attempt], operation));
      evidence_.attempts.back().number = link.number;
    }
    const auto attempts = std::span<const AttemptEvidence>(evidence_.attempts).subspan(first);
    const std::size_t first_gap = evidence_.gaps.size();
    std::uint32_t retry = 0;
    for (std::size_t i = 0; i + 1 < attempts.size(); ++i) {
      evidence_.gaps.push_back(gap_between(attempts[i], attempts[i + 1]));
      Gap& gap = evidence_.gaps.back();
      if (!gap.is_resend) ++retry;
      gap.retry = std::max<std::uint32_t>(retry, 1);
    }
    evidence_.chains.push_back({attempts, std::span<const Gap>(evidence_.gaps).subspan(first_gap)});
  }

  AttemptEvidence attempt_evidence(const Attempt& attempt, std::uint32_t operation) const {
    AttemptEvidence made{.record = &attempt, .seen = seen_of(attempt), .operation = operation};
    if (made.seen.status != 0 && made.seen.from && !attempt.planned.retry_after.empty()) {
      made.asked = find_retry_after(attempt.planned.retry_after,
                                    run_.wall_origin + made.seen.from->time_since_epoch());
    }
    return made;
  }

  Gap gap_between(const AttemptEvidence& before, const AttemptEvidence& after) const {
    Gap gap{.before = &before, .after = &after};
    const Instant arrived = after.record->first_byte;
    if (before.seen.from && *before.seen.from <= arrived) {
      gap.wait_at_most = arrived - *before.seen.from;
    }
    if (!before.seen.until) return gap;
    gap.wait_at_least = std::max(Duration(0), arrived - *before.seen.until);
    gap.connecting = connecting_time(after);
    gap.lag = lags_.explains(*before.seen.until, arrived);
    gap.lag_measured = lags_.between(*before.seen.until, arrived);
    gap.has_blind_spot = spots_.touch(*before.seen.until, arrived);
    gap.is_resend = is_resend(before, after, *gap.wait_at_least);
    return gap;
  }

  // From the accepting of a connection made for this attempt to its first byte, within reason.
  Duration connecting_time(const AttemptEvidence& attempt) const {
    if (attempt.record->number_on_connection != 1) return Duration(0);
    const auto id = attempt.record->connection;
    const auto found = std::ranges::lower_bound(run_.connections, id, {}, &journal::Connection::id);
    if (found == run_.connections.end() || found->id != id) return Duration(0);
    const Duration since = attempt.record->first_byte - found->accepted;
    return std::clamp(since, Duration(0), kConnectingMax);
  }

  static bool is_resend(const AttemptEvidence& before, const AttemptEvidence& after,
                        Duration wait) {
    const bool was_stale =
        before.record->number_on_connection > 1 &&
        (before.seen.kind == Seen::Kind::reset || before.seen.kind == Seen::Kind::closed);
    return was_stale && after.record->number_on_connection == 1 && wait <= kResendWithin;
  }

  const journal::ClientEnd* client_of(const OperationGroup& group) const {
    if (group.by != Grouping::one_process || run_.clients.empty()) return nullptr;
    if (run_.one_process) return run_.clients.size() == 1 ? &run_.clients.front() : nullptr;
    const auto process = run_.attempts[group.attempts.front()].listener;
    const auto found = std::ranges::find(run_.clients, process, &journal::ClientEnd::process);
    return found == run_.clients.end() ? nullptr : &*found;
  }

  Evidence& evidence_;
  const Run& run_;
  const LagIndex& lags_;
  BlindSpots spots_;
};

// A process is one operation unless the expectations allow several.
bool expects_one_per_process(const scenario::Expect& expect) {
  return !expect.operations || expect.operations->max == 1;
}

}  // namespace

std::size_t Chain::tries() const {
  return attempts.size() -
         static_cast<std::size_t>(std::ranges::count(gaps, true, &Gap::is_resend));
}

Evidence::Evidence(const scenario::Scenario& scenario_judged, std::span<const Run> records)
    : scenario(scenario_judged), settings(settle(scenario_judged)) {
  const journal::GroupingOptions options{.one_per_process =
                                             expects_one_per_process(scenario.expect)};
  std::vector<std::vector<OperationGroup>> groups;
  std::size_t group_count = 0;
  std::size_t attempt_count = 0;
  for (const Run& run : records) {
    groups.push_back(group_operations(run, options));
    group_count += groups.back().size();
    attempt_count += run.attempts.size();
  }
  runs.reserve(records.size());
  lags.reserve(records.size());
  operations.reserve(group_count);
  attempts.reserve(attempt_count);
  gaps.reserve(attempt_count);
  chains.reserve(attempt_count);
  for (std::size_t i = 0; i < records.size(); ++i) {
    lags.emplace_back(records[i].lags);
    Builder builder(*this, records[i]);
    const std::size_t first = operations.size();
    std::uint32_t number = 0;
    for (const OperationGroup& group : groups[i]) {
      builder.add(group, ++number);
      grouping = std::max(grouping, group.by);
    }
    runs.push_back({.record = &records[i],
                    .operations = std::span<const OperationEvidence>(operations).subspan(first),
                    .worst_lag = lags[i].worst()});
    worst_lag = std::max(worst_lag, lags[i].worst());
    dropped = dropped || records[i].dropped_attempts > 0;
    for (const journal::Resource& one : records[i].resources) resources.push_back(&one);
  }
  samples = samples_of(*this);
  std::ranges::sort(resources, {},
                    [](const journal::Resource* one) { return std::pair(one->run, one->attempt); });
}

std::vector<const journal::Resource*> Evidence::resources_of(
    const OperationEvidence& operation) const {
  std::vector<const journal::Resource*> made;
  for (const AttemptEvidence& attempt : operation.attempts) {
    if (attempt.record->resource.empty()) continue;
    const auto [first, last] = std::ranges::equal_range(
        resources, std::pair(attempt.record->run, attempt.record->id), {},
        [](const journal::Resource* one) { return std::pair(one->run, one->attempt); });
    made.insert(made.end(), first, last);
  }
  return made;
}

Duration Evidence::lag_between(const AttemptEvidence& first, const AttemptEvidence& last) const {
  return lags[operation_of(first).run].explains(first.record->first_byte, last.record->first_byte);
}

bool asks_too_much(const Evidence& evidence, const AttemptEvidence& attempt) {
  if (!attempt.asked.valid()) return false;
  const Settings& settings = evidence.settings;
  if (attempt.asked.wait > settings.patience) return true;
  if (!settings.deadline || !attempt.seen.from) return false;
  const Instant started = evidence.operation_of(attempt).first().record->first_byte;
  return saturating_add(*attempt.seen.from, attempt.asked.wait) >
         saturating_add(started, *settings.deadline);
}

bool may_be_followed(const Evidence& evidence, const AttemptEvidence& attempt) {
  const Settings& settings = evidence.settings;
  const Seen& seen = attempt.seen;
  if (attempt.record->planned.should_retry_false || !attempt.is_repeatable()) return false;
  const bool is_failure =
      seen.answered() ? is_retried(settings, seen.status) : seen.kind == Seen::Kind::reset;
  if (!is_failure || asks_too_much(evidence, attempt)) return false;
  // The client's own wait may end beyond its deadline. One that is not declared is taken for as
  // long as the client would sit through at the server's wish.
  if (!settings.deadline || !seen.until) return true;
  const Instant started = evidence.operation_of(attempt).first().record->first_byte;
  const Duration own = settings.base ? longest_wait(settings, attempt.number) : settings.patience;
  const Duration wait = std::max(own, attempt.asked.wait);
  return saturating_add(*seen.until, wait) <= saturating_add(started, *settings.deadline);
}

}  // namespace retrylab::verify
