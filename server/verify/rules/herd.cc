// SPDX-License-Identifier: MIT
#include "server/verify/rules/herd.h"

#include <fmt/format.h>

#include <algorithm>

#include "server/verify/rules/plain.h"
#include "server/verify/rules/words.h"
#include "server/verify/statistics/statistics.h"

namespace retrylab::verify {
namespace {

constexpr double kShare = 0.1;

}  // namespace

RuleResult judge_spread(const std::vector<Return>& returns, double range,
                        const std::string& advice) {
  if (returns.size() < kHerdMin) {
    return {
        .status = Status::not_applicable,
        .observed = fmt::format("had {}, needs {}", counted(returns.size(), "client"), kHerdMin)};
  }
  std::vector<double> times;
  for (const Return& one : returns) times.push_back(one.after);
  const double width = kShare * range;
  const std::size_t densest = statistics::densest_window(times, width);
  const std::size_t most = statistics::densest_by_chance(times.size(), kShare);
  RuleResult result{
      .status = densest > most ? Status::fail : Status::pass,
      .expected = fmt::format("at most {} of {} within {:.3g}s", most, times.size(), width),
      .observed = fmt::format("{} within {:.3g}s", densest, width)};
  if (densest <= most) return result;
  result.advice = advice;
  for (const Return& one : returns) {
    if (result.attempts.size() == kEvidenceMax) break;
    result.attempts.push_back(one.gap->after->ref());
  }
  return result;
}

}  // namespace retrylab::verify
