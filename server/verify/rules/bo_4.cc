// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "server/verify/rules/all.h"
#include "server/verify/rules/samples.h"
#include "server/verify/rules/words.h"
#include "server/verify/statistics/statistics.h"

namespace retrylab::verify::rules {
namespace {

constexpr std::size_t kSamplesMin = 10;
constexpr double kAlike = 0.9;
// Below that there is no wait whose jitter could be judged (BO-3).
constexpr Duration kShortest = std::chrono::milliseconds(10);

// A client's timers and its scheduler spread equal waits so much; half a second of jitter on top of
// eight is little of the wait, and jitter all the same.
constexpr Duration kTimers = std::chrono::milliseconds(50);

enum class Spread { wide, narrow, none };

struct Ends {
  Duration least;
  Duration most;
};

Ends ends_of(const std::vector<const Sample*>& group) {
  const auto [least, most] =
      std::ranges::minmax(group, {}, [](const Sample* one) { return one->time; });
  return {least->time, most->time};
}

Spread spread_of(Ends ends) {
  using Seconds = std::chrono::duration<double>;
  const bool differ = Seconds(ends.least) < kAlike * Seconds(ends.most);
  if (ends.most < kShortest || differ) return Spread::wide;
  return ends.most - ends.least <= kTimers ? Spread::none : Spread::narrow;
}

RuleResult found(Spread spread, std::uint32_t retry, const std::vector<const Sample*>& group) {
  RuleResult result{.status = Status::fail,
                    .expected = "waits that differ from operation to operation",
                    .attempts = attempts_of(group),
                    .advice =
                        "Draw each wait at random (full jitter: 0 to the ceiling), at the cap too: "
                        "clients that failed together must not come back together."};
  const Ends ends = ends_of(group);
  const std::string waits = fmt::format("{} before retry {}", counted(group.size(), "wait"), retry);
  if (spread == Spread::none) {
    result.observed = fmt::format("{} are alike, about {}", waits, time_text(ends.least));
    return result;
  }
  result.status = Status::advice;
  result.observed = fmt::format("{} all lie between {} and {}", waits, time_text(ends.least),
                                time_text(ends.most));
  return result;
}

RuleResult judge(const Evidence& evidence) {
  const auto& band = evidence.settings.band;
  if (band && band->low * 10 >= band->high * 9) {
    return {.status = Status::not_applicable, .observed = "no jitter is expected"};
  }
  const std::vector<Sample>& samples = evidence.samples;
  Supply best{.needed = kSamplesMin};
  std::optional<Supply> spoiled;
  std::optional<RuleResult> narrow;
  std::size_t judged = 0;
  for (const auto& [retry, group] : by_retry(samples)) {
    const Supply supply{
        .had = group.size(), .needed = kSamplesMin, .lost = blurred_before(evidence, retry)};
    if (supply.had >= best.had) best = supply;
    if (supply.was_spoiled()) spoiled = supply;
    if (supply.had < kSamplesMin) continue;
    ++judged;
    const Spread spread = spread_of(ends_of(group));
    if (spread == Spread::none) return found(spread, retry, group);
    if (spread == Spread::narrow && !narrow) narrow = found(spread, retry, group);
  }
  if (narrow) return *narrow;
  if (spoiled || judged == 0) return too_few(spoiled.value_or(best), evidence);
  return {.status = Status::pass,
          .expected = "waits that differ from operation to operation",
          .observed = fmt::format(
              "they differ before {}",
              judged == 1 ? "the retry with enough samples" : fmt::format("{} retries", judged))};
}

}  // namespace

constinit const Rule kBo4{.id = "BO-4",
                          .statement = "Waits are jittered",
                          .source = "AWS Architecture Blog, Exponential Backoff And Jitter",
                          .parameters = "backoff.jitter",
                          .decision =
                              "Needs 10 waits before the same retry. Fails when the shortest is at "
                              "least 0.9 of the longest and 50 ms at most lie between them, as "
                              "timers do it: under equal jitter the first has a probability of "
                              "1e-6. With more between them it is advice: there is jitter, of less "
                              "than a tenth of the wait. Not where no jitter is declared.",
                          .judge = judge};

}  // namespace retrylab::verify::rules
