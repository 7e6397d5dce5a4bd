// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"
#include "server/verify/statistics/statistics.h"

namespace retrylab::verify::rules {
namespace {

// Full jitter comes that soon now and then; a first retry without any wait always does.
constexpr Duration kAtOnce = std::chrono::milliseconds(5);
// Where no base is declared, few clients have a smaller one.
constexpr Duration kSmallBase = std::chrono::milliseconds(50);

constexpr std::string_view kAdvice = "Wait before the first retry as before any other.";

bool is_first_own_wait(const Gap& gap) {
  return gap.retry == 1 && is_own_wait(gap);
}

// The client's waits have a lower bound: one that is shorter is proof.
void judge_bounded(const Evidence& evidence, const Gap& gap, Duration least, Tally& tally) {
  const auto tell = [&] {
    return Finding{fmt::format("at least {} before the first retry", time_text(least)),
                   came_after(evidence, gap), std::string(kAdvice)};
  };
  const Duration missing = least - *gap.wait_at_most;
  switch (early(*gap.wait_at_most, least)) {
    case Early::no:
      return tally.kept(*gap.before);
    case Early::slightly:
      return tally.advise(*gap.before, *gap.after, missing, tell);
    case Early::proven:
      return tally.broke(*gap.before, *gap.after, missing, tell);
  }
}

// First waits that prove it when all of them are at once. Asked for twice as many: a busy host
// makes some of them late.
std::size_t repeats_for(double share) {
  std::size_t needed = 1;
  while (std::pow(share, static_cast<double>(needed)) >= statistics::kAlpha && needed < 50) {
    ++needed;
  }
  return 2 * needed;
}

// Jitter from zero: so many at once, in so many first retries, cannot be chance.
void judge_by_number(const Evidence& evidence, const std::vector<const Gap*>& gaps, Tally& tally) {
  const auto is_at_once = [](const Gap* gap) { return *gap->wait_at_most < kAtOnce; };
  const auto count = static_cast<std::size_t>(std::ranges::count_if(gaps, is_at_once));
  const Duration base = evidence.settings.base.value_or(kSmallBase);
  const double share = std::min(1.0, static_cast<double>(kAtOnce.count()) /
                                         static_cast<double>(std::max(base, kAtOnce).count()));
  const bool is_proof =
      count > 0 && statistics::binomial_tail(gaps.size(), count, share) < statistics::kAlpha;
  for (const Gap* gap : gaps) {
    if (!is_at_once(gap)) {
      tally.kept(*gap->before);
      continue;
    }
    const auto tell = [&] {
      std::string observed = came_after(evidence, *gap);
      if (!is_proof) {
        observed +=
            fmt::format("; full jitter does that too, once in {:.0f} times: --repeat {} tells",
                        1 / share, repeats_for(share));
      }
      return Finding{"a wait before the first retry", observed, std::string(kAdvice)};
    };
    if (is_proof) {
      tally.broke(*gap->before, *gap->after, std::nullopt, tell);
    } else {
      tally.advise(*gap->before, *gap->after, std::nullopt, tell);
    }
  }
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  std::vector<const Gap*> unbounded;
  for (const Gap& gap : evidence.gaps) {
    if (!is_first_own_wait(gap)) continue;
    const auto band = wait_band(evidence.settings, 1, std::nullopt);
    if (band && band->least > kAtOnce) {
      judge_bounded(evidence, gap, band->least, tally);
    } else {
      unbounded.push_back(&gap);
    }
  }
  judge_by_number(evidence, unbounded, tally);
  return tally.result({.expected = "a wait before the first retry",
                       .none = "the client made no first retry by itself"});
}

}  // namespace

constinit const Rule kBo3{
    .id = "BO-3",
    .statement = "The first retry is not made at once",
    .source = "RULES BO-3; the SRE book, chapter 22",
    .parameters = "backoff.base, backoff.jitter",
    .decision =
        "Where the declared jitter has a lower bound, one shorter first wait fails. Else "
        "(full jitter, or nothing declared) first waits under 5 ms fail when chance "
        "explains them with a probability below 1e-4, taking a base of 50 ms where none "
        "is declared; fewer are advice.",
    .judge = judge};

}  // namespace retrylab::verify::rules
