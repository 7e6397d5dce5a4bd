// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// Budgets keep their counts in slices: a tenth of the window may be counted twice.
constexpr std::int64_t kSlices = 10;

struct Arrivals {
  std::vector<Instant> firsts;
  std::vector<std::pair<Instant, const Gap*>> retries;
};

Arrivals arrivals_of(const RunEvidence& run) {
  Arrivals all;
  for (const OperationEvidence& operation : run.operations) {
    for (const Chain& chain : operation.chains) {
      all.firsts.push_back(chain.first().first_byte);
      for (const Gap& gap : chain.gaps) {
        if (!gap.is_resend) all.retries.emplace_back(gap.after->first_byte, &gap);
      }
    }
  }
  std::ranges::sort(all.firsts);
  std::ranges::sort(all.retries);
  return all;
}

std::uint64_t allowed(const scenario::ExpectBudget& budget, std::uint64_t firsts) {
  const auto window = std::chrono::ceil<std::chrono::seconds>(budget.window).count();
  return (firsts * budget.ratio.part + budget.ratio.whole - 1) / budget.ratio.whole +
         budget.per_second * static_cast<std::uint64_t>(window) + budget.burst;
}

void judge_run(const Evidence& evidence, const RunEvidence& run,
               const scenario::ExpectBudget& budget, Tally& tally) {
  const Arrivals all = arrivals_of(run);
  const Duration wide = budget.window + budget.window / kSlices;
  std::size_t oldest = 0;
  for (std::size_t i = 0; i < all.retries.size(); ++i) {
    const auto& [at, gap] = all.retries[i];
    while (all.retries[oldest].first <= at - budget.window) ++oldest;
    const auto from = std::ranges::upper_bound(all.firsts, at - wide);
    const auto to = std::ranges::upper_bound(all.firsts, at);
    const std::uint64_t limit = allowed(budget, static_cast<std::uint64_t>(to - from));
    const std::uint64_t count = i - oldest + 1;
    if (count <= limit) {
      tally.kept(*gap->before);
      continue;
    }
    tally.broke(*gap->before, *gap->after, std::nullopt, [&, gap = gap] {
      return Finding{
          fmt::format("at most {} within {}", counted(limit, "retry"), time_text(budget.window)),
          fmt::format("{} was number {}", name_of(evidence, *gap->after), count),
          "Take every retry from a budget that all operations share; drop it when "
          "the budget is empty."};
    });
  }
}

RuleResult judge(const Evidence& evidence) {
  const auto& budget = evidence.scenario.expect.budget;
  Tally tally(evidence);
  if (budget) {
    for (const RunEvidence& run : evidence.runs) judge_run(evidence, run, *budget, tally);
  }
  return tally.result(
      {.expected = "retries within the budget, at any time",
       .none = budget ? "there was no retry" : "no budget is declared: say budget"});
}

}  // namespace

constinit const Rule kBu2{
    .id = "BU-2",
    .statement = "Retries stay within the budget at any time",
    .source = "Finagle RetryBudget; Gateway API GEP-3388; the SRE book, chapter 21",
    .parameters = "budget: ratio, per_second, window, burst",
    .decision =
        "For each retry: those in the window before it against ratio times first attempts, "
        "per_second times the window, and burst. A tenth of the window is granted to budgets that "
        "count in slices.",
    .judge = judge};

}  // namespace retrylab::verify::rules
