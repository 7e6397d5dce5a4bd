// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "server/verify/rules/all.h"
#include "server/verify/rules/samples.h"
#include "server/verify/rules/words.h"
#include "server/verify/statistics/statistics.h"

namespace retrylab::verify::rules {
namespace {

constexpr std::array<std::string_view, 1> kYieldsTo{"BO-4"};

constexpr std::size_t kWaitsMin = 20;
constexpr double kNear = 0.002;  // seconds
constexpr std::array<double, 2> kGrids{1.0, 0.1};

bool is_on(double time, double grid) {
  const double rest = std::fmod(time, grid);
  return time > grid / 2 && (rest <= kNear || grid - rest <= kNear);
}

RuleResult judge(const Evidence& evidence) {
  if (evidence.settings.band == Band{1000, 1000}) {
    return {.status = Status::not_applicable, .observed = "no jitter is expected"};
  }
  const std::vector<Sample>& samples = evidence.samples;
  if (samples.size() < kWaitsMin) return too_few(samples.size(), kWaitsMin, evidence);
  for (const double grid : kGrids) {
    const auto count = std::ranges::count_if(
        samples, [grid](const Sample& one) { return is_on(one.seconds(), grid); });
    if (2 * static_cast<std::size_t>(count) <= samples.size()) continue;
    return {
        .status = Status::fail,
        .expected = "waits with a fine grain",
        .observed = fmt::format("{} of {} waits are multiples of {}s", count, samples.size(), grid),
        .attempts = {samples.front().gap->after->ref()},
        .advice = "Do not round waits: on a coarse grid, clients meet again."};
  }
  return {.status = Status::pass,
          .expected = "waits with a fine grain",
          .observed = fmt::format("{} are on no grid", counted(samples.size(), "wait"))};
}

}  // namespace

constinit const Rule kBo10{.id = "BO-10",
                           .statement = "Waits are not rounded to a coarse grid",
                           .source = "RULES BO-10",
                           .parameters = "backoff.jitter",
                           .decision =
                               "Needs 20 waits. Advice when more than half are within 2 ms of a "
                               "multiple of 1 s or 100 ms.",
                           .severity = Severity::advice,
                           .yields_to = kYieldsTo,
                           .judge = judge};

}  // namespace retrylab::verify::rules
