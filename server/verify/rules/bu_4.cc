// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// Budgets keep their counts in slices: a tenth of the window is granted either way.
constexpr std::int64_t kSlices = 10;

struct Load {
  std::vector<Instant> retries;
  std::vector<Instant> successes;  // first attempts that succeeded
  std::set<int> retried;           // kinds of failure
};

Load load_of(const RunEvidence& run) {
  Load load;
  for (const OperationEvidence& operation : run.operations) {
    for (const Chain& chain : operation.chains) {
      if (chain.first().seen.success()) load.successes.push_back(chain.first().first_byte);
      for (const Gap& gap : chain.gaps) {
        if (gap.is_resend) continue;
        load.retries.push_back(gap.after->first_byte);
        load.retried.insert(failure_kind(*gap.before));
      }
    }
  }
  std::ranges::sort(load.retries);
  std::ranges::sort(load.successes);
  return load;
}

std::uint64_t count_between(const std::vector<Instant>& times, Instant from, Instant to) {
  if (to <= from) return 0;
  return static_cast<std::uint64_t>(std::ranges::upper_bound(times, to) -
                                    std::ranges::upper_bound(times, from));
}

// How many retries the budget has room for at every instant from the failure until the client
// would have retried; nothing was taken from it for longer than it remembers.
std::uint64_t room(const scenario::ExpectBudget& budget, const Load& load, Instant failed,
                   Instant due) {
  const Duration slice = budget.window / kSlices;
  if (count_between(load.retries, failed - budget.window - slice, due) > 0) return 0;
  const std::uint64_t earning =
      count_between(load.successes, due - budget.window + slice, failed - slice);
  const auto window = std::chrono::floor<std::chrono::seconds>(budget.window).count();
  return earning * budget.ratio.part / budget.ratio.whole +
         budget.per_second * static_cast<std::uint64_t>(window) + budget.burst;
}

void judge_last(const Evidence& evidence, const RunEvidence& run, const AttemptEvidence& last,
                const Load& load, Tally& tally) {
  const bool went_otherwise = load.retried.contains(failure_kind(last));
  if (!went_otherwise || !last.seen.until) return;
  const Instant due =
      saturating_add(*last.seen.until, longest_wait(evidence.settings, last.number));
  const bool saw_it_out = run.record->ended && *run.record->ended > due + kLateTolerance;
  if (!saw_it_out) return;
  const std::uint64_t free = room(*evidence.scenario.expect.budget, load, *last.seen.until, due);
  if (free == 0) return;
  const auto tell = [&] {
    return Finding{
        fmt::format("a retry: the budget had room for {} again", counted(free, "retry")),
        fmt::format("nothing followed {} ({}), which it had retried before", describe(last.seen),
                    name_of(evidence, last)),
        "Let successes and time fill the budget again; what was spent in an outage is not spent "
        "for ever."};
  };
  // The client's window may have begun so much later than it seems from here.
  const scenario::ExpectBudget& budget = *evidence.scenario.expect.budget;
  const LagIndex& lags = evidence.lags[evidence.operation_of(last).run];
  const bool is_blurred =
      lags.between(*last.seen.until - budget.window, due) > budget.window / kSlices;
  if (is_blurred) return tally.spoiled(last, last, tell);
  tally.broke(last, std::nullopt, tell);
}

void judge_run(const Evidence& evidence, const RunEvidence& run, Tally& tally) {
  const Load load = load_of(run);
  for (const OperationEvidence& operation : run.operations) {
    for (const Chain& chain : operation.chains) {
      for (const Gap& gap : chain.gaps) {
        if (may_be_followed(evidence, *gap.before)) tally.kept(*gap.before);
      }
      const AttemptEvidence& last = chain.last();
      const bool is_due = may_be_followed(evidence, last) && has_attempts_left(evidence, chain);
      if (is_due) judge_last(evidence, run, last, load, tally);
    }
  }
}

RuleResult judge(const Evidence& evidence) {
  const scenario::Expect& expect = evidence.scenario.expect;
  Tally tally(evidence);
  if (expect.budget && !expect.silence) {
    for (const RunEvidence& run : evidence.runs) {
      if (run.record->one_process) judge_run(evidence, run, tally);
    }
  }
  return tally.result({.expected = "retries again once the budget has recovered",
                       .none = expect.budget ? "there was no retry that the budget had to allow"
                                             : "no budget is declared: say budget"});
}

}  // namespace

constinit const Rule kBu4{
    .id = "BU-4",
    .statement = "A budget recovers: once there is room again, failures are retried again",
    .source = "Finagle RetryBudget; gRPC A6; AWS SDKs and Tools Reference, retry quota",
    .parameters = "budget: ratio, per_second, window, burst; attempts.max, backoff",
    .decision =
        "Fails when one client gives up on a kind of failure that it retries elsewhere, though "
        "nothing was retried for longer than the budget's window, and the successes and the time "
        "in it have earned a retry; a tenth of the window is granted to budgets that count in "
        "slices. Inconclusive when this host was later than that. Not judged beside a breaker, "
        "which "
        "may have been open.",
    .is_of_progress = true,
    .judge = judge};

}  // namespace retrylab::verify::rules
