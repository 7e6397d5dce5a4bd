// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

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
constexpr std::string_view kAlways = "Wait before every retry, and longer each time.";

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

double share_at_once(const Evidence& evidence) {
  const Duration base = std::max(evidence.settings.base.value_or(kSmallBase), kAtOnce);
  return static_cast<double>(kAtOnce.count()) / static_cast<double>(base.count());
}

bool is_at_once(const Gap* gap) {
  return *gap->wait_at_most < kAtOnce;
}

// So many of them at once cannot be chance, whose share a later retry's longer wait only lowers.
bool is_proof(std::span<const Gap* const> gaps, double share) {
  const auto count = static_cast<std::size_t>(std::ranges::count_if(gaps, is_at_once));
  return count > 0 && statistics::binomial_tail(gaps.size(), count, share) < statistics::kAlpha;
}

void judge_first(const Evidence& evidence, const Gap& gap, bool is_proven, Tally& tally) {
  if (!is_at_once(&gap)) return tally.kept(*gap.before);
  const double share = share_at_once(evidence);
  const auto tell = [&] {
    std::string observed = came_after(evidence, gap);
    if (!is_proven) {
      observed +=
          fmt::format("; full jitter does that too, once in {:.0f} times: --repeat {} tells",
                      1 / share, repeats_for(share));
    }
    return Finding{"a wait before the first retry", observed, std::string(kAdvice)};
  };
  if (is_proven) return tally.broke(*gap.before, *gap.after, std::nullopt, tell);
  tally.advise(*gap.before, *gap.after, std::nullopt, tell);
}

// Later ones are named only where all of them together are the proof.
void judge_any(const Evidence& evidence, const Gap& gap, Tally& tally) {
  if (!is_at_once(&gap)) return tally.kept(*gap.before);
  tally.broke(*gap.before, *gap.after, std::nullopt, [&] {
    return Finding{"a wait before every retry", came_after(evidence, gap), std::string(kAlways)};
  });
}

// Jitter from zero: one wait that is next to none may be chance.
void judge_by_number(const Evidence& evidence, std::span<const Gap* const> first,
                     std::span<const Gap* const> all, Tally& tally) {
  const double share = share_at_once(evidence);
  const bool is_proven_by_first = is_proof(first, share);
  if (!is_proven_by_first && is_proof(all, share)) {
    for (const Gap* gap : all) judge_any(evidence, *gap, tally);
    return;
  }
  for (const Gap* gap : first) judge_first(evidence, *gap, is_proven_by_first, tally);
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  std::vector<const Gap*> first;
  std::vector<const Gap*> all;
  for (const Gap& gap : evidence.gaps) {
    if (!is_own_wait(gap)) continue;
    const auto band = wait_band(evidence.settings, gap.retry, std::nullopt);
    const bool is_bounded = band && band->least > kAtOnce;
    if (is_bounded && gap.retry == 1) judge_bounded(evidence, gap, band->least, tally);
    if (is_bounded) continue;
    all.push_back(&gap);
    if (gap.retry == 1) first.push_back(&gap);
  }
  judge_by_number(evidence, first, all, tally);
  return tally.result(
      {.expected = "a wait before the first retry", .none = "the client made no retry by itself"});
}

}  // namespace

constinit const Rule kBo3{
    .id = "BO-3",
    .statement = "Retries are not made at once, and the first is none that may be",
    .source = "RULES BO-3; the SRE book, chapter 22",
    .parameters = "backoff.base, backoff.jitter",
    .decision =
        "Where the declared jitter has a lower bound, one shorter first wait fails. Else "
        "(full jitter, or nothing declared) first waits under 5 ms, or else all waits under "
        "5 ms together, fail when chance explains them with a probability below 1e-4, taking "
        "a base of 50 ms where none is declared; fewer first ones are advice.",
    .judge = judge};

}  // namespace retrylab::verify::rules
