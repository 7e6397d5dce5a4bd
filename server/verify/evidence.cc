// SPDX-License-Identifier: MIT
#include "server/verify/evidence.h"

#include <algorithm>
#include <utility>

#include "server/verify/evidence_part.h"

namespace retrylab::verify {
namespace {

using journal::OperationGroup;
using journal::Run;

// Enough of them to keep several workers busy, not so many that they cost more than they save.
constexpr std::size_t kOperationsPerPart = 4096;

using Groups = std::vector<std::vector<OperationGroup>>;  // by run

// A process is one operation unless the expectations allow several.
bool expects_one_per_process(const scenario::Expect& expect) {
  return !expect.operations || expect.operations->max == 1;
}

Groups group_runs(const scenario::Scenario& scenario, std::span<const Run> records,
                  const InParallel& in_parallel) {
  const journal::GroupingOptions options{.one_per_process =
                                             expects_one_per_process(scenario.expect)};
  Groups groups(records.size());
  if (records.size() == 1) {
    groups[0] = journal::group_operations(records[0], options, in_parallel);
    return groups;
  }
  Tasks tasks;
  for (std::size_t i = 0; i < records.size(); ++i) {
    tasks.emplace_back([&, i] { groups[i] = journal::group_operations(records[i], options); });
  }
  in_parallel(tasks);
  return groups;
}

std::vector<PartSource> sources_of(Evidence& evidence, std::span<const Run> records,
                                   const Groups& groups, const std::vector<BlindSpots>& spots) {
  std::vector<PartSource> sources;
  std::size_t operation = 0;
  for (std::size_t run = 0; run < records.size(); ++run) {
    const std::span<const OperationGroup> all = groups[run];
    for (std::size_t first = 0; first < all.size(); first += kOperationsPerPart) {
      const std::size_t count = std::min(kOperationsPerPart, all.size() - first);
      sources.push_back({.evidence = evidence,
                         .run_index = static_cast<std::uint32_t>(run),
                         .run = records[run],
                         .spots = spots[run],
                         .groups = all.subspan(first, count),
                         .first_number = static_cast<std::uint32_t>(first + 1),
                         .first_operation = static_cast<std::uint32_t>(operation),
                         .operations = std::span(evidence.operations).subspan(operation, count)});
      operation += count;
    }
  }
  return sources;
}

std::vector<EvidencePart> make_parts(const std::vector<PartSource>& sources,
                                     const InParallel& in_parallel) {
  std::vector<EvidencePart> parts(sources.size());
  Tasks tasks;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    tasks.emplace_back([&, i] { parts[i] = make_part(sources[i]); });
  }
  in_parallel(tasks);
  return parts;
}

void join(std::vector<EvidencePart> parts, Evidence& evidence) {
  std::size_t sample_count = 0;
  for (const EvidencePart& part : parts) sample_count += part.samples.size();
  evidence.samples.reserve(sample_count);
  for (EvidencePart& part : parts) {
    evidence.samples.insert(evidence.samples.end(), part.samples.begin(), part.samples.end());
    std::vector<Sample>().swap(part.samples);
    evidence.occurring.add(part.occurring);
    for (const auto& [retry, count] : part.blurred) evidence.blurred[retry] += count;
    evidence.attempts.add(std::move(part.attempts));
    evidence.gaps.add(std::move(part.gaps));
    evidence.chains.add(std::move(part.chains));
  }
}

}  // namespace

std::size_t Chain::tries() const {
  return attempts.size() -
         static_cast<std::size_t>(std::ranges::count(gaps, true, &Gap::is_resend));
}

Evidence::Evidence(const scenario::Scenario& scenario_judged, std::span<const Run> records,
                   const InParallel& in_parallel)
    : scenario(scenario_judged), settings(settle(scenario_judged)) {
  const Groups groups = group_runs(scenario, records, in_parallel);
  std::vector<BlindSpots> spots;
  std::size_t operation_count = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    lags.emplace_back(records[i].lags);
    spots.emplace_back(scenario, records[i]);
    operation_count += groups[i].size();
    worst_lag = std::max(worst_lag, lags[i].worst());
    dropped = dropped || records[i].dropped_attempts > 0 || records[i].is_cut;
    for (const OperationGroup& group : groups[i]) grouping = std::max(grouping, group.by);
    for (const journal::Resource& one : records[i].resources) resources.push_back(&one);
  }
  operations.resize(operation_count);
  join(make_parts(sources_of(*this, records, groups, spots), in_parallel), *this);
  std::span<const OperationEvidence> rest = operations;
  for (std::size_t i = 0; i < records.size(); ++i) {
    runs.push_back({.record = &records[i],
                    .operations = rest.first(groups[i].size()),
                    .worst_lag = lags[i].worst()});
    rest = rest.subspan(groups[i].size());
  }
  std::ranges::sort(resources, {},
                    [](const journal::Resource* one) { return std::pair(one->run, one->attempt); });
}

void Occurring::add(const AttemptEvidence& attempt) {
  const auto status = static_cast<std::size_t>(attempt.seen.status);
  if (status < statuses.size()) statuses.set(status);
  sources.set(static_cast<std::size_t>(attempt.source));
  kinds.set(static_cast<std::size_t>(attempt.seen.kind));
  asked |= attempt.asked.kind != RetryAfter::Kind::absent;
  should_retry |= attempt.should_retry.has_value();
  announced_retries |= attempt.announced_retries.has_value();
  closing |= attempt.closes_connection;
  unrepeatable |= !attempt.is_repeatable;
  spoiled |= attempt.seen.spoiled;
}

void Occurring::add(const Occurring& other) {
  statuses |= other.statuses;
  sources |= other.sources;
  kinds |= other.kinds;
  asked |= other.asked;
  should_retry |= other.should_retry;
  announced_retries |= other.announced_retries;
  closing |= other.closing;
  unrepeatable |= other.unrepeatable;
  spoiled |= other.spoiled;
}

const Joined<Gap>& Evidence::gaps_if(bool occurs) const {
  static const Joined<Gap> kNone;
  return occurs ? gaps : kNone;
}

const Joined<Chain>& Evidence::chains_if(bool occurs) const {
  static const Joined<Chain> kNone;
  return occurs ? chains : kNone;
}

std::vector<const journal::Resource*> Evidence::resources_of(
    const OperationEvidence& operation) const {
  std::vector<const journal::Resource*> made;
  for (const AttemptEvidence& attempt : operation.attempts) {
    if (attempt.record->resource.empty()) continue;
    const std::pair wanted(attempt.record->run, attempt.record->id);
    const auto made_by = [](const journal::Resource* one) {
      return std::pair(one->run, one->attempt);
    };
    made.insert(made.end(), std::ranges::lower_bound(resources, wanted, {}, made_by),
                std::ranges::upper_bound(resources, wanted, {}, made_by));
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
