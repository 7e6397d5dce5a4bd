// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/samples.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"
#include "server/verify/statistics/statistics.h"

namespace retrylab::verify::rules {
namespace {

constexpr std::array<std::string_view, 9> kYieldsTo{"BO-3", "BO-4", "BO-5",   "BO-6",  "BO-7",
                                                    "BO-8", "BO-9", "HERD-1", "HERD-3"};

constexpr std::size_t kRetriesMin = 100;
constexpr std::size_t kRetriesMax = 10'000;
// Bins are so much of the shortest range that a retry was spread over.
constexpr double kShare = 0.1;
// A bin in which fewer are expected is joined to the next.
constexpr double kExpectedMin = 5;
constexpr std::size_t kBinsMin = 10;
// What timers and connecting shift the expected number by.
constexpr double kBlur = 0.02;

// A retry that may have come at any time between the two, and when it came; in seconds.
struct Spread {
  double from = 0;
  double until = 0;
  double came = 0;
  const Gap* gap = nullptr;
};

double seconds(Duration time) {
  return std::chrono::duration<double>(time).count();
}

// Of one run; of very many, some from all over it.
std::vector<Spread> spreads_of(const Evidence& evidence, std::size_t run) {
  const std::span<const Sample> samples = samples_of_run(evidence, run);
  const std::size_t stride = samples.size() / kRetriesMax + 1;
  std::vector<Spread> spreads;
  for (std::size_t i = 0; i < samples.size(); i += stride) {
    const Sample& sample = samples[i];
    const auto band = wait_band(evidence.settings, sample.gap->retry, sample.previous);
    if (!sample.share || !band) continue;
    const double known = seconds(sample.gap->before->seen.from->time_since_epoch());
    spreads.push_back({known + seconds(band->least), known + seconds(band->most),
                       seconds(sample.gap->after->first_byte.time_since_epoch()), sample.gap});
  }
  return spreads;
}

struct Bin {
  double expected = 0;
  double count = 0;
};

// By number; what is far from all retries has none.
std::map<std::int64_t, Bin> bins_of(const std::vector<Spread>& spreads, double width) {
  std::map<std::int64_t, Bin> bins;
  const auto number = [width](double at) { return static_cast<std::int64_t>(at / width); };
  for (const Spread& one : spreads) {
    ++bins[number(one.came)].count;
    for (std::int64_t i = number(one.from); i <= number(one.until); ++i) {
      const double from = std::max(one.from, static_cast<double>(i) * width);
      const double until = std::min(one.until, static_cast<double>(i + 1) * width);
      bins[i].expected += std::max(0.0, until - from) / (one.until - one.from);
    }
  }
  return bins;
}

// Neighbours together until enough are expected of them.
std::vector<Bin> joined(const std::map<std::int64_t, Bin>& bins) {
  std::vector<Bin> wide;
  Bin open;
  for (const auto& [number, bin] : bins) {
    open.expected += bin.expected;
    open.count += bin.count;
    if (open.expected < kExpectedMin) continue;
    wide.push_back(open);
    open = {};
  }
  if (wide.empty()) return wide;
  wide.back().expected += open.expected;
  wide.back().count += open.count;
  return wide;
}

// The Fano factor, around what the declared waits put into each bin rather than around one mean.
double dispersion_of(const std::vector<Bin>& bins) {
  double sum = 0;
  for (const Bin& bin : bins) {
    const double off = bin.count - bin.expected;
    const double blur = kBlur * bin.expected;
    sum += off * off / (bin.expected + blur * blur);
  }
  return sum / static_cast<double>(bins.size());
}

RuleResult judge_run(const std::vector<Spread>& spreads) {
  const auto too_few_bins = [](std::size_t had) {
    return RuleResult{.status = Status::not_applicable,
                      .observed = fmt::format("had {} in a run, needs {} over a longer time",
                                              counted(had, "retry"), kRetriesMin)};
  };
  if (spreads.size() < kRetriesMin) return too_few_bins(spreads.size());
  double shortest = spreads.front().until - spreads.front().from;
  for (const Spread& one : spreads) shortest = std::min(shortest, one.until - one.from);
  const std::vector<Bin> bins = joined(bins_of(spreads, kShare * shortest));
  if (bins.size() < kBinsMin) return too_few_bins(spreads.size());
  const double dispersion = dispersion_of(bins);
  const double allowed = statistics::dispersion_by_chance(bins.size());
  RuleResult result{
      .status = dispersion > allowed ? Status::fail : Status::pass,
      .expected = fmt::format("a dispersion of at most {:.2f}", allowed),
      .observed = fmt::format("{} in {} stretches of time: {:.2f}",
                              counted(spreads.size(), "retry"), bins.size(), dispersion)};
  if (result.status == Status::pass) return result;
  result.advice = "Let no clock, lock or number that clients share decide when they come back.";
  for (const Spread& one : spreads) {
    if (result.attempts.size() == kEvidenceMax) break;
    result.attempts.push_back(one.gap->after->ref());
  }
  return result;
}

RuleResult judge(const Evidence& evidence) {
  const Settings& settings = evidence.settings;
  const scenario::Expect& expect = evidence.scenario.expect;
  if (!settings.base || !settings.band || settings.decorrelated) {
    return {.status = Status::not_applicable,
            .observed = "needs backoff.base and a backoff.jitter whose range is known"};
  }
  if (expect.budget || expect.silence || expect.throttle) {
    return {.status = Status::not_applicable,
            .observed = "a budget, breaker or throttle decides too when retries come"};
  }
  RuleResult worst{.status = Status::not_applicable, .observed = "there was no retry"};
  for (std::size_t run = 0; run < evidence.runs.size(); ++run) {
    RuleResult result = judge_run(spreads_of(evidence, run));
    if (weight(result.status) > weight(worst.status)) worst = std::move(result);
  }
  return worst;
}

}  // namespace

constinit const Rule kHerd2{
    .id = "HERD-2",
    .statement =
        "Retries are no more bunched than their failures and the declared jitter make them",
    .source = "RULES HERD-2 (Fano factor)",
    .parameters = "backoff.base, backoff.cap, backoff.jitter",
    .decision =
        "Needs 100 retries of a run over ten stretches of time. Each failure and the declared "
        "range "
        "of the wait after it say how many retries belong into each tenth of that range; the rule "
        "is broken when the numbers that came differ from that more than chance makes them (p < "
        "1e-4). Not beside a declared budget, breaker or throttle, which decide too when retries "
        "come; since one may be there undeclared, it is advice.",
    .severity = Severity::advice,
    .yields_to = kYieldsTo,
    .judge = judge};

}  // namespace retrylab::verify::rules
