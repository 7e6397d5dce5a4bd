// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "server/verify/rules/all.h"
#include "server/verify/rules/breaker.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// The client decides by drawing: so much more than declared is chance, and a few probes.
constexpr double kTolerance = 1.2;
constexpr double kDeviations = 4;
constexpr double kProbes = 10;

bool is_accepted(const AttemptEvidence& attempt) {
  return attempt.seen.answered() && attempt.seen.status != 429 && attempt.seen.status != 503;
}

double most(const scenario::ExpectThrottle& throttle, std::size_t accepted) {
  const double share =
      static_cast<double>(throttle.ratio.part) / static_cast<double>(throttle.ratio.whole);
  const double sent = share * static_cast<double>(accepted);
  return sent * kTolerance + kDeviations * std::sqrt(sent) + kProbes;
}

// Every window that begins when the first one is over: then the client knows its share.
void judge_run(const RunEvidence& run, const scenario::ExpectThrottle& throttle, Tally& tally) {
  const auto attempts = in_order_of_arrival(run);
  std::size_t oldest = 0;
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    const Instant at = attempts[i]->first_byte;
    if (is_accepted(*attempts[i])) ++accepted;
    while (attempts[oldest]->first_byte <= at - throttle.window) {
      if (is_accepted(*attempts[oldest])) --accepted;
      ++oldest;
    }
    if (at < attempts.front()->first_byte + 2 * throttle.window) continue;
    const double limit = most(throttle, accepted);
    const std::size_t sent = i - oldest + 1;
    if (static_cast<double>(sent) <= limit) {
      tally.kept(*attempts[i]);
      continue;
    }
    tally.broke(*attempts[oldest], *attempts[i], std::nullopt, [&] {
      return Finding{fmt::format("at most {:.0f} attempts where {} were accepted", limit, accepted),
                     fmt::format("{} in the {} before {}", sent, time_text(throttle.window),
                                 name_of(tally.evidence(), *attempts[i])),
                     "Reject by yourself what the server would reject: throttle adaptively."};
    });
  }
}

RuleResult judge(const Evidence& evidence) {
  const auto& throttle = evidence.scenario.expect.throttle;
  Tally tally(evidence);
  if (throttle) {
    for (const RunEvidence& run : evidence.runs) judge_run(run, *throttle, tally);
  }
  return tally.result({.expected = "no more attempts than a multiple of those that are accepted",
                       .none = throttle ? "the run was not as long as two windows"
                                        : "no throttling is declared: say throttle"});
}

}  // namespace

constinit const Rule kTh1{
    .id = "TH-1",
    .statement = "The client throttles itself when its requests are rejected",
    .source = "The SRE book, chapter 21: client-side throttling",
    .parameters = "throttle: ratio, window",
    .decision =
        "From the second window on: fails when a window has more attempts than the declared "
        "multiple of those not answered 429 or 503, with a fifth, four standard deviations and ten "
        "probes on top.",
    .judge = judge};

}  // namespace retrylab::verify::rules
