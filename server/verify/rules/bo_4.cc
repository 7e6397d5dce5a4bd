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

bool is_alike(const std::vector<const Sample*>& group) {
  const auto [least, most] =
      std::ranges::minmax(group, {}, [](const Sample* one) { return one->time; });
  return most->time >= kShortest && least->seconds() >= kAlike * most->seconds();
}

RuleResult judge(const Evidence& evidence) {
  const auto& band = evidence.settings.band;
  if (band && band->low * 10 >= band->high * 9) {
    return {.status = Status::not_applicable, .observed = "no jitter is expected"};
  }
  const std::vector<Sample>& samples = evidence.samples;
  Supply best{.needed = kSamplesMin};
  std::optional<Supply> spoiled;
  std::size_t judged = 0;
  for (const auto& [retry, group] : by_retry(samples)) {
    const Supply supply{
        .had = group.size(), .needed = kSamplesMin, .lost = blurred_before(evidence, retry)};
    if (supply.had >= best.had) best = supply;
    if (supply.was_spoiled()) spoiled = supply;
    if (supply.had < kSamplesMin) continue;
    ++judged;
    if (!is_alike(group)) continue;
    return {.status = Status::fail,
            .expected = "waits that differ from operation to operation",
            .observed =
                fmt::format("{} before retry {} are alike, about {}", counted(group.size(), "wait"),
                            retry, time_text(group.front()->time)),
            .attempts = attempts_of(group),
            .advice =
                "Draw each wait at random (full jitter: 0 to the ceiling), at the cap too: "
                "clients that failed together must not come back together."};
  }
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
                              "least 0.9 of the longest: under equal jitter that has a probability "
                              "of 1e-6. Not where no jitter is declared.",
                          .judge = judge};

}  // namespace retrylab::verify::rules
