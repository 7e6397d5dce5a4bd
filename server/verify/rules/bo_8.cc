// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/samples.h"
#include "server/verify/rules/words.h"
#include "server/verify/statistics/statistics.h"

namespace retrylab::verify::rules {
namespace {

constexpr std::array<std::string_view, 2> kYieldsTo{"BO-4", "BO-6"};

constexpr std::size_t kPairsMin = 30;
// 3.9 standard deviations: p about 1e-4.
constexpr double kDeviations = 3.9;

RuleResult judge(const Evidence& evidence) {
  if (!has_known_shape(evidence) || !evidence.settings.band) {
    return {.status = Status::not_applicable,
            .observed = "needs backoff.base (at least 250ms), backoff.cap and backoff.jitter"};
  }
  const std::vector<Sample>& samples = evidence.samples;
  std::vector<double> left;
  std::vector<double> right;
  std::vector<const Sample*> shown;
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    const Sample& one = samples[i];
    const Sample& next = samples[i + 1];
    const bool is_pair =
        one.chain == next.chain && one.gap->retry + 1 == next.gap->retry && one.share && next.share;
    if (!is_pair) continue;
    left.push_back(*one.share);
    right.push_back(*next.share);
    if (shown.size() < kEvidenceMax) shown.push_back(&next);
  }
  if (left.size() < kPairsMin) {
    // A wait that was blurred takes two pairs along.
    const std::size_t lost = 2 * blurred_in_all(evidence);
    return too_few({.had = left.size(), .needed = kPairsMin, .lost = lost}, evidence,
                   "comparable wait");
  }
  const double rho = statistics::rank_correlation(left, right);
  const double bound = kDeviations / std::sqrt(static_cast<double>(left.size()));
  const std::string observed = fmt::format("rank correlation {:.2f} over {} (bound {:.2f})", rho,
                                           counted(left.size(), "pair"), bound);
  if (std::abs(rho) <= bound) {
    return {.status = Status::pass, .expected = "independent waits", .observed = observed};
  }
  return {.status = Status::fail,
          .expected = "waits that do not depend on one another",
          .observed = observed,
          .attempts = attempts_of(shown),
          .advice = "Draw a new random number for each wait, not one per operation."};
}

}  // namespace

constinit const Rule kBo8{.id = "BO-8",
                          .statement = "Each wait is drawn anew",
                          .source = "RULES BO-8",
                          .parameters = "backoff.base, backoff.cap, backoff.jitter",
                          .decision =
                              "Needs 30 pairs of neighbouring waits and a base of 250 ms. Fails "
                              "when their rank correlation is beyond 3.9 standard deviations. Not "
                              "for decorrelated jitter, whose waits depend on each other.",
                          .yields_to = kYieldsTo,
                          .judge = judge};

}  // namespace retrylab::verify::rules
