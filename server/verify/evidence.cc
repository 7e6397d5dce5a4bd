// SPDX-License-Identifier: MIT
#include "server/verify/evidence.h"

#include <algorithm>
#include <cstdint>
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
    std::vector<Spot> spots;
    for (const scenario::Outage& outage : scenario.outages) {
      if (outage.what == scenario::Outage::Do::answer) continue;
      spots.emplace_back(zero + outage.from, zero + outage.until);
    }
    for (const journal::Connection& connection : run.connections) {
      const bool is_cut = !connection.planned_faults.empty() && connection.requests == 0;
      if (is_cut) spots.emplace_back(connection.accepted, connection.accepted);
    }
    std::ranges::sort(spots);
    for (const Spot& spot : spots) merge(spot);
  }

  bool touch(Instant from, Instant to) const {
    const auto next = std::ranges::lower_bound(spots_, from, {}, &Spot::second);
    return next != spots_.end() && next->first <= to;
  }

 private:
  using Spot = std::pair<Instant, Instant>;

  void merge(const Spot& spot) {
    if (spots_.empty() || spots_.back().second < spot.first) {
      spots_.push_back(spot);
    } else {
      spots_.back().second = std::max(spots_.back().second, spot.second);
    }
  }

  std::vector<Spot> spots_;  // apart, in order of time
};

// Puts the attempts of an operation into chains.
class ChainFinder {
 public:
  std::size_t chain_of(const AttemptEvidence& attempt) {
    const std::size_t chain = find(attempt);
    if (chain == ends_.size()) ends_.emplace_back(journal::Fingerprint{});
    const journal::Fingerprint end = std::exchange(ends_[chain], attempt.print);
    if (end.request != attempt.print.request) by_request_[attempt.print.request] = chain;
    if (end.key != attempt.print.key && attempt.print.key != 0) by_key_[attempt.print.key] = chain;
    if (attempt.seen.status / 100 == 3) by_location_[attempt.record->planned.location] = chain;
    last_ = chain;
    return chain;
  }

 private:
  std::size_t find(const AttemptEvidence& attempt) const {
    if (ends_.empty()) return 0;
    const journal::Fingerprint& print = attempt.print;
    const journal::Fingerprint& end = ends_[last_];
    if (print.request == end.request || (print.key != 0 && print.key == end.key)) return last_;
    if (const auto at = by_key_.find(print.key); at != by_key_.end()) return at->second;
    if (const auto at = by_request_.find(print.request); at != by_request_.end()) {
      return at->second;
    }
    for (const auto& [location, chain] : by_location_) {
      if (location.ends_with(attempt.record->target)) return chain;
    }
    return ends_.size();
  }

  std::vector<journal::Fingerprint> ends_;
  std::size_t last_ = 0;
  std::map<std::uint64_t, std::size_t> by_key_;
  std::map<std::uint64_t, std::size_t> by_request_;
  std::map<std::string_view, std::size_t> by_location_;
};

std::optional<bool> should_retry_of(const Attempt& attempt, const Seen& seen) {
  if (seen.status == 0) return std::nullopt;
  if (attempt.planned.should_retry_false) return false;
  for (const Header& hint : attempt.planned.hints) {
    const bool is_it =
        same_name(hint.name, "x-should-retry") || same_name(hint.name, "stripe-should-retry");
    if (is_it && (hint.value == "true" || hint.value == "false")) return hint.value == "true";
  }
  return std::nullopt;
}

Asked asked_of(const Run& run, const Attempt& attempt, const Seen& seen) {
  if (seen.status == 0 || !seen.from || attempt.planned.retry_after.empty()) return {};
  const RetryAfter asked = find_retry_after(attempt.planned.retry_after,
                                            run.wall_origin + seen.from->time_since_epoch());
  return {.kind = asked.kind, .past = asked.past, .wait = asked.wait};
}

std::optional<std::uint32_t> announced_retries_of(const Attempt& attempt) {
  const auto retries = journal::announced_by(attempt).retries;
  if (!retries) return std::nullopt;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(*retries, UINT32_MAX));
}

// Without the kernel's time it may have come as much earlier as this process was late to read it.
Instant earliest_arrival(const LagIndex& lags, const Attempt& attempt) {
  if (attempt.first_byte_from_kernel) return attempt.first_byte;
  return attempt.first_byte - lags.between(attempt.first_byte, attempt.first_byte);
}

// How long this process stood still with the request to read. The kernel's time is that of the last
// segment: of the client's leaving, if it has left meanwhile.
Duration unread_for(const LagIndex& lags, const Attempt& attempt) {
  const Duration lag = lags.between(attempt.first_byte, attempt.head_read);
  return lag >= kOverdue ? lag : Duration(0);
}

// An answer that this host delivered late, or never since the client left meanwhile.
Duration kept_waiting(const LagIndex& lags, const Attempt& attempt, const Seen& seen) {
  const Duration unread = unread_for(lags, attempt);
  if (unread > Duration(0)) return unread;
  if (!seen.until || attempt.planned.status == 0) return Duration(0);
  const Instant arrived = earliest_arrival(lags, attempt);
  const Duration late = *seen.until - saturating_add(arrived, attempt.planned.delay);
  const Duration lag = lags.between(arrived, *seen.until);
  const bool is_left = seen.kind == Seen::Kind::left;
  const bool is_given_up =
      is_left && attempt.planned.complete && late >= Duration(0) && lag >= kGivenUpLag;
  const bool is_late = !is_left && late >= kOverdue && lag >= late / 2;
  return is_given_up || is_late ? lag : Duration(0);
}

// The client closed the connection as soon as this attempt was answered, and sent nothing else.
bool was_the_last_of_its_connection(const Run& run, const Attempt& attempt, Instant answered) {
  const auto id = attempt.connection;
  const auto found = std::ranges::lower_bound(run.connections, id, {}, &journal::Connection::id);
  if (found == run.connections.end() || found->id != id) return true;  // dropped: nobody knows
  const bool is_closed_by_peer = found->closed_by == journal::Connection::ClosedBy::peer ||
                                 found->closed_by == journal::Connection::ClosedBy::peer_reset;
  return is_closed_by_peer && found->requests == attempt.number_on_connection && found->closed &&
         *found->closed <= answered + kNeighbourLagMax;
}

// How late this host was with an answer that went into a connection which the client may have
// closed long before: whether it saw it, nobody knows.
Duration unseen_for(const Run& run, const LagIndex& lags, const Attempt& attempt,
                    const Seen& seen) {
  const bool was_sent = seen.from && seen.until && seen.kind != Seen::Kind::left;
  if (!was_sent) return Duration(0);
  const Instant arrived = earliest_arrival(lags, attempt);
  const Duration overdue = *seen.from - saturating_add(arrived, attempt.planned.delay);
  const Duration lag = lags.between(arrived, *seen.from);
  const bool is_late = overdue >= kNeighbourLagMax && lag >= overdue / 2;
  if (!is_late && unread_for(lags, attempt) == Duration(0)) return Duration(0);
  return was_the_last_of_its_connection(run, attempt, *seen.until) ? lag : Duration(0);
}

AttemptEvidence evidence_of(const Run& run, const LagIndex& lags, const Attempt& attempt) {
  AttemptEvidence made;
  made.record = &attempt;
  made.seen = seen_of(attempt);
  const Duration unseen = unseen_for(run, lags, attempt, made.seen);
  if (unseen > Duration(0)) made.seen = Seen{.spoiled = true};
  made.asked = asked_of(run, attempt, made.seen);
  made.print = journal::fingerprint_of(attempt);
  made.first_byte = attempt.first_byte;
  made.connection = attempt.connection;
  made.number_on_connection = attempt.number_on_connection;
  made.source = attempt.planned.source;
  made.announced_retries = announced_retries_of(attempt);
  made.should_retry = should_retry_of(attempt, made.seen);
  made.has_hints = !attempt.planned.hints.empty();
  made.body_was_read = attempt.body_read.has_value();
  made.closes_connection = attempt.planned.connection_close;
  made.has_key = attempt.route_has_store && !attempt.key.empty();
  made.kept_waiting = std::max(unseen, kept_waiting(lags, attempt, made.seen));
  made.is_repeatable = made.has_key || is_idempotent_method(attempt.method);
  return made;
}

// Fills the vectors of the evidence, run by run. They must not grow later: spans point into them.
class Builder {
 public:
  Builder(Evidence& evidence, const Run& run)
      : evidence_(evidence),
        run_(run),
        lags_(evidence.lags.back()),
        spots_(evidence.scenario, run) {
    // In the order of the journal, which is the order in which it lies in memory.
    judged_.reserve(run.attempts.size());
    for (const Attempt& attempt : run.attempts) judged_.push_back(evidence_of(run, lags_, attempt));
  }

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
      const std::size_t chain = finder.chain_of(judged_[index]);
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
      evidence_.attempts.push_back(judged_[link.attempt]);
      evidence_.attempts.back().operation = operation;
      evidence_.attempts.back().number = link.number;
    }
    const auto attempts = std::span<const AttemptEvidence>(evidence_.attempts).subspan(first);
    const std::size_t first_gap = evidence_.gaps.size();
    std::uint32_t retry = 0;
    std::uint32_t asked = 0;
    for (std::size_t i = 0; i + 1 < attempts.size(); ++i) {
      evidence_.gaps.push_back(gap_between(attempts[i], attempts[i + 1]));
      Gap& gap = evidence_.gaps.back();
      if (!gap.is_resend && !is_hedge(gap)) ++retry;
      gap.retry = std::max<std::uint32_t>(retry, 1);
      gap.asked_before = std::min(asked, gap.retry - 1);
      const bool is_asked =
          attempts[i].asked.kind != RetryAfter::Kind::absent || attempts[i].has_hints;
      if (is_asked && !gap.is_resend) ++asked;
    }
    evidence_.chains.push_back({attempts, std::span<const Gap>(evidence_.gaps).subspan(first_gap)});
  }

  Gap gap_between(const AttemptEvidence& before, const AttemptEvidence& after) const {
    Gap gap{.before = &before, .after = &after};
    const Instant arrived = after.first_byte;
    if (before.seen.from && *before.seen.from <= arrived) {
      gap.wait_at_most = arrived - *before.seen.from;
    }
    if (!before.seen.until) return gap;
    gap.wait_at_least = std::max(Duration(0), arrived - *before.seen.until);
    gap.connecting = connecting_time(after);
    gap.lag = lags_.explains(*before.seen.until, arrived);
    gap.lag_at_ends = lag_at_ends(*before.seen.until, arrived);
    gap.has_blind_spot = spots_.touch(*before.seen.until, arrived);
    gap.is_resend = is_resend(before, after, *gap.wait_at_least);
    return gap;
  }

  // Not what is in between: a client that sleeps notices nothing of it, and long waits would be
  // left out more often than short ones.
  Duration lag_at_ends(Instant answered, Instant arrived) const {
    return lags_.between(answered, answered + kEndOfWait) +
           lags_.between(std::max(answered, arrived - kEndOfWait), arrived);
  }

  // It did not wait for the outcome, as declared: no retry.
  bool is_hedge(const Gap& gap) const {
    return evidence_.scenario.expect.hedging_delay && !gap.wait_at_most;
  }

  // From the accepting of a connection made for this attempt to its first byte, within reason.
  Duration connecting_time(const AttemptEvidence& attempt) const {
    if (attempt.number_on_connection != 1) return Duration(0);
    const auto id = attempt.connection;
    const auto found = std::ranges::lower_bound(run_.connections, id, {}, &journal::Connection::id);
    if (found == run_.connections.end() || found->id != id) return Duration(0);
    const Duration since = attempt.first_byte - found->accepted;
    return std::clamp(since, Duration(0), kConnectingMax);
  }

  static bool is_resend(const AttemptEvidence& before, const AttemptEvidence& after,
                        Duration wait) {
    const bool was_stale =
        before.number_on_connection > 1 &&
        (before.seen.kind == Seen::Kind::reset || before.seen.kind == Seen::Kind::closed);
    return was_stale && after.number_on_connection == 1 && wait <= kResendWithin;
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
  std::vector<AttemptEvidence> judged_;  // by index in the run
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
  take_samples(*this);
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
  return lags[operation_of(first).run].explains(first.first_byte, last.first_byte);
}

bool is_same_request(const AttemptEvidence& one, const AttemptEvidence& other) {
  return one.print.same_request(other.print);
}

bool asks_too_much(const Evidence& evidence, const AttemptEvidence& attempt) {
  if (!attempt.asked.valid()) return false;
  const Settings& settings = evidence.settings;
  if (attempt.asked.wait > settings.patience) return true;
  if (!settings.deadline || !attempt.seen.from) return false;
  const Instant started = evidence.operation_of(attempt).first().first_byte;
  return saturating_add(*attempt.seen.from, attempt.asked.wait) >
         saturating_add(started, *settings.deadline);
}

bool may_be_followed(const Evidence& evidence, const AttemptEvidence& attempt) {
  const Settings& settings = evidence.settings;
  const Seen& seen = attempt.seen;
  if (attempt.should_retry == false || !attempt.is_repeatable) return false;
  const bool is_failure =
      seen.answered() ? is_retried(settings, seen.status) : seen.kind == Seen::Kind::reset;
  if (!is_failure || asks_too_much(evidence, attempt)) return false;
  // The client's own wait may end beyond its deadline. One that is not declared is taken for as
  // long as the client would sit through at the server's wish.
  if (!settings.deadline || !seen.until) return true;
  const Instant started = evidence.operation_of(attempt).first().first_byte;
  const Duration own = settings.base ? longest_wait(settings, attempt.number) : settings.patience;
  const Duration wait = std::max(own, attempt.asked.wait);
  return saturating_add(*seen.until, wait) <= saturating_add(started, *settings.deadline);
}

}  // namespace retrylab::verify
