// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "server/verify/rules/all.h"
#include "server/verify/rules/samples.h"
#include "server/verify/rules/words.h"
#include "server/verify/statistics/statistics.h"

namespace retrylab::verify::rules {
namespace {

constexpr std::size_t kSamplesMin = 20;
constexpr double kShrinks = 0.7;

// Waits of the same chain before one retry and before the next.
struct Pairs {
  std::vector<double> earlier;
  std::vector<double> later;
  std::vector<const Sample*> samples;
};

// By the number of the earlier retry.
std::map<std::uint32_t, Pairs> pairs_of(std::span<const Sample> samples) {
  std::map<std::uint32_t, Pairs> all;
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    const Sample& one = samples[i];
    const Sample& next = samples[i + 1];
    if (one.chain != next.chain || one.gap->retry + 1 != next.gap->retry) continue;
    Pairs& pairs = all[one.gap->retry];
    pairs.earlier.push_back(one.seconds());
    pairs.later.push_back(next.seconds());
    pairs.samples.push_back(&next);
  }
  return all;
}

// More of them shrink than chance explains, and by enough to matter.
bool is_shrinking(const Pairs& pairs) {
  std::size_t shrunk = 0;
  for (std::size_t i = 0; i < pairs.earlier.size(); ++i) {
    if (pairs.later[i] < pairs.earlier[i] - 0.002) ++shrunk;
  }
  const double earlier = statistics::median(pairs.earlier);
  const double later = statistics::median(pairs.later);
  return later < kShrinks * earlier &&
         statistics::binomial_tail(pairs.earlier.size(), shrunk, 0.5) < statistics::kAlpha;
}

RuleResult judge(const Evidence& evidence) {
  const std::vector<Sample>& samples = evidence.samples;
  Supply best{.needed = kSamplesMin};
  std::optional<Supply> spoiled;
  std::size_t judged = 0;
  for (const auto& [retry, pairs] : pairs_of(samples)) {
    const Supply supply{
        .had = pairs.samples.size(),
        .needed = kSamplesMin,
        .lost = blurred_before(evidence, retry) + blurred_before(evidence, retry + 1)};
    if (supply.had >= best.had) best = supply;
    if (supply.was_spoiled()) spoiled = supply;
    if (supply.had < kSamplesMin) continue;
    ++judged;
    if (!is_shrinking(pairs)) continue;
    return {.status = Status::fail,
            .expected = "waits that do not shrink",
            .observed = fmt::format("retry {} waited {:.3g}s in the median, retry {} {:.3g}s",
                                    retry, statistics::median(pairs.earlier), retry + 1,
                                    statistics::median(pairs.later)),
            .attempts = attempts_of(pairs.samples),
            .advice = "Let the ceiling grow with every retry, up to the cap; mind overflow."};
  }
  if (spoiled || judged == 0) return too_few(spoiled.value_or(best), evidence, "comparable wait");
  return {.status = Status::pass,
          .expected = "waits that do not shrink",
          .observed = fmt::format("{} in a row do not shrink", counted(judged + 1, "median"))};
}

}  // namespace

constinit const Rule kBo2{.id = "BO-2",
                          .statement = "Waits do not shrink from retry to retry",
                          .source = "RULES BO-2",
                          .parameters = "",
                          .decision =
                              "Needs 20 operations. Fails when the median of the waits before one "
                              "retry is below 0.7 of the median before, and more operations shrink "
                              "there than a fair coin explains (sign test, p < 1e-4).",
                          .judge = judge};

}  // namespace retrylab::verify::rules
