// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

constexpr Duration kBin = std::chrono::milliseconds(100);
constexpr Duration kAfterwards = std::chrono::seconds(10);
constexpr std::size_t kArrivalsMin = 100;

std::vector<double> arrivals_after(const RunEvidence& run, Instant end) {
  std::vector<double> arrivals;
  for (const journal::Attempt& attempt : run.record->attempts) {
    const Duration since = attempt.first_byte - end;
    if (since >= Duration(0) && since < kAfterwards) {
      arrivals.push_back(std::chrono::duration<double>(since).count());
    }
  }
  return arrivals;
}

// The fullest tenth of a second, as a multiple of the mean.
double peak_of(const std::vector<double>& arrivals) {
  const double width = std::chrono::duration<double>(kBin).count();
  std::vector<std::size_t> bins(static_cast<std::size_t>(kAfterwards / kBin), 0);
  for (const double at : arrivals) ++bins[static_cast<std::size_t>(at / width)];
  const double mean = static_cast<double>(arrivals.size()) / static_cast<double>(bins.size());
  return static_cast<double>(*std::ranges::max_element(bins)) / mean;
}

RuleResult judge(const Evidence& evidence) {
  const auto& herd = evidence.scenario.expect.herd;
  if (!herd || !herd->peak) {
    return {.status = Status::not_applicable, .observed = "no peak is declared: say herd.peak"};
  }
  const double most =
      static_cast<double>(herd->peak->part) / static_cast<double>(herd->peak->whole);
  RuleResult worst{.status = Status::not_applicable,
                   .observed = fmt::format("needs {} in the ten seconds after an outage",
                                           counted(kArrivalsMin, "attempt"))};
  for (const RunEvidence& run : evidence.runs) {
    for (const scenario::Outage& outage : evidence.scenario.outages) {
      if (!run.record->zero) continue;
      const auto arrivals = arrivals_after(run, *run.record->zero + outage.until);
      if (arrivals.size() < kArrivalsMin) continue;
      const double peak = peak_of(arrivals);
      RuleResult result{.status = peak > most ? Status::fail : Status::pass,
                        .expected = fmt::format("at most {:.3g} times the mean", most),
                        .observed = fmt::format("{:.3g} times the mean, in the fullest 100ms after "
                                                "the outage",
                                                peak),
                        .advice = peak > most ? "Spread the return: jitter, a budget, a breaker "
                                                "with few probes."
                                              : ""};
      if (weight(result.status) > weight(worst.status)) worst = std::move(result);
    }
  }
  return worst;
}

}  // namespace

constinit const Rule kHerd4{
    .id = "HERD-4",
    .statement = "After an outage the load comes back evenly",
    .source = "RULES HERD-4",
    .parameters = "outages, herd.peak",
    .decision =
        "Needs 100 attempts in the ten seconds after an outage. Fails when the fullest 100 ms has "
        "more than the declared multiple of the mean.",
    .judge = judge};

}  // namespace retrylab::verify::rules
