// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/samples.h"
#include "server/verify/rules/words.h"
#include "server/verify/statistics/statistics.h"

namespace retrylab::verify::rules {
namespace {

constexpr std::array<std::string_view, 5> kYieldsTo{"BO-3", "BO-4", "BO-5", "BO-6", "BO-8"};

constexpr std::size_t kWaitsMin = 20;

RuleResult judge(const Evidence& evidence) {
  if (!has_known_shape(evidence) || !evidence.settings.band) {
    return {.status = Status::not_applicable,
            .observed = "needs backoff.base (at least 250ms), backoff.cap and backoff.jitter"};
  }
  std::vector<double> shares;
  std::vector<const Sample*> shown;
  const std::vector<Sample>& samples = evidence.samples;
  for (const Sample& sample : samples) {
    if (!sample.share) continue;
    shares.push_back(*sample.share);
    if (shown.size() < kEvidenceMax) shown.push_back(&sample);
  }
  if (shares.size() < kWaitsMin) return too_few(shares.size(), kWaitsMin, evidence);
  const auto test = statistics::against_uniform(shares);
  const std::string observed =
      fmt::format("{}: largest distance {:.3f}, p = {:.2g}", counted(shares.size(), "wait"),
                  test.distance, test.p_value);
  // Measured (bench/verify/spread_table), uniform waits fall below kAlpha nearly twice as often:
  // the approximation is a little small out there.
  if (test.p_value >= statistics::kAlpha / 2) {
    return {.status = Status::pass, .expected = "waits spread evenly", .observed = observed};
  }
  return {.status = Status::fail,
          .expected = "waits spread evenly over " + describe_band(evidence.settings),
          .observed = observed,
          .attempts = attempts_of(shown),
          .advice = "Draw from a uniform distribution over the whole range."};
}

}  // namespace

constinit const Rule kBo7{.id = "BO-7",
                          .statement = "Waits are spread evenly over the range of their jitter",
                          .source = "RULES BO-7 (Kolmogorov-Smirnov)",
                          .parameters = "backoff.base, backoff.cap, backoff.jitter",
                          .decision = "Needs 20 waits and a base of 250 ms. Fails at p < 5e-5.",
                          .yields_to = kYieldsTo,
                          .judge = judge};

}  // namespace retrylab::verify::rules
