// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <optional>

#include "server/verify/rules/all.h"
#include "server/verify/rules/herd.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/samples.h"

namespace retrylab::verify::rules {
namespace {

constexpr std::array<std::string_view, 4> kYieldsTo{"BO-3", "BO-4", "BO-7", "BO-9"};

// First retries of one run whose clients failed at about one instant.
std::vector<Return> returns_of(const Evidence& evidence, std::size_t run, Duration range) {
  std::vector<Return> returns;
  std::optional<Instant> failed;
  for (const Sample& sample : samples_of_run(evidence, run)) {
    if (sample.gap->retry != 1) continue;
    const Instant known = *sample.gap->before->seen.from;
    if (!failed) failed = known;
    if (known - *failed > range / 10 || *failed - known > range / 10) return {};
    returns.push_back({std::chrono::duration<double>(sample.time).count(), sample.gap});
  }
  return returns;
}

RuleResult judge(const Evidence& evidence) {
  const auto range = ceiling(evidence.settings, 1);
  if (!range) {
    return {.status = Status::not_applicable, .observed = "no base is declared: say backoff.base"};
  }
  const auto& band = evidence.settings.band;
  const std::int64_t spread = band ? std::max<std::int64_t>(band->high - band->low, 0) : 1000;
  if (spread == 0) return {.status = Status::not_applicable, .observed = "no jitter is expected"};
  const double seconds =
      std::chrono::duration<double>(*range).count() * static_cast<double>(spread) / 1000;
  RuleResult worst{.status = Status::not_applicable,
                   .observed = "needs 20 clients that failed at one instant"};
  for (std::size_t run = 0; run < evidence.runs.size(); ++run) {
    RuleResult result = judge_spread(returns_of(evidence, run, *range), seconds,
                                     "Jitter the first retry over its whole range.");
    if (weight(result.status) > weight(worst.status)) worst = std::move(result);
  }
  return worst;
}

}  // namespace

constinit const Rule kHerd1{
    .id = "HERD-1",
    .statement = "Clients that failed together do not come back together",
    .source = "AWS Architecture Blog, Exponential Backoff And Jitter; RULES B6",
    .parameters = "backoff.base, backoff.jitter",
    .decision =
        "Needs 20 clients of one run that failed at one instant. Fails when a tenth of the "
        "jitter's range has more of their first retries than chance puts there (scan statistic, p "
        "< 1e-4).",
    .yields_to = kYieldsTo,
    .judge = judge};

}  // namespace retrylab::verify::rules
