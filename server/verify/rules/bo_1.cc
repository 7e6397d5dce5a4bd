// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// One wait that is over by no more than this, or a tenth, may be the host's doing after all.
constexpr Duration kOneExcess = std::chrono::milliseconds(250);

// The cap with the spread that is added to it: declared, or the widest when any jitter goes.
Duration cap_with_spread(const Settings& settings) {
  const std::int64_t high = settings.decorrelated ? 1000
                            : settings.band       ? settings.band->high
                                                  : 1500;
  const Duration cap = std::min(*settings.cap, kForever / 2000);
  return cap * std::max<std::int64_t>(high, 1000) / 1000;
}

// A declared base says more than the cap: before its first retry a client waits no longer than
// that.
Duration longest(const Settings& settings, const Gap& gap) {
  const Duration by_cap = settings.cap ? cap_with_spread(settings) : kForever;
  const bool is_shaped = settings.backoff_declared && settings.base && !settings.decorrelated;
  return is_shaped ? std::min(by_cap, longest_wait(settings, gap.retry)) : by_cap;
}

struct Excess {
  const Gap* gap = nullptr;
  Duration allowed{0};
  Duration over{0};
};

Finding finding(const Evidence& evidence, const Gap& gap, Duration allowed) {
  return {fmt::format("at most {} between attempts", time_text(allowed)), came_after(evidence, gap),
          "Cap every wait after the jitter: min(cap, base * factor^n)."};
}

void judge_gap(const Evidence& evidence, const Gap& gap, std::vector<Excess>& excesses,
               Tally& tally) {
  const Duration allowed = longest(evidence.settings, gap);
  const auto tell = [&] { return finding(evidence, gap, allowed); };
  const Lateness how_late = lateness(gap, allowed);
  switch (late(how_late)) {
    case Late::no:
      return tally.kept(*gap.before);
    case Late::explained:
      return tally.spoiled(*gap.before, *gap.after, tell);
    case Late::proven:
      excesses.push_back({&gap, allowed, beyond(how_late)});
  }
}

// One may be the host's doing after all.
bool is_slight(const std::vector<Excess>& excesses) {
  return excesses.size() == 1 && excesses[0].over <= std::max(kOneExcess, excesses[0].allowed / 10);
}

RuleResult judge(const Evidence& evidence) {
  const Settings& settings = evidence.settings;
  const bool is_bounded = settings.cap || (settings.backoff_declared && settings.base);
  Tally tally(evidence);
  const Outline outline{.expected = "no wait beyond the backoff's",
                        .none = is_bounded ? "the client never waited by itself"
                                           : "no cap is declared: say backoff.cap"};
  if (!is_bounded) return tally.result(outline);
  std::vector<Excess> excesses;
  for (const Gap& gap : evidence.gaps) {
    if (is_own_wait(gap) && gap.wait_at_least) judge_gap(evidence, gap, excesses, tally);
  }
  for (const Excess& excess : excesses) {
    const Gap& gap = *excess.gap;
    const auto tell = [&] { return finding(evidence, gap, excess.allowed); };
    if (is_slight(excesses)) {
      tally.advise(*gap.before, *gap.after, excess.over, tell);
    } else {
      tally.broke(*gap.before, *gap.after, excess.over, tell);
    }
  }
  return tally.result(outline);
}

}  // namespace

constinit const Rule kBo1{
    .id = "BO-1",
    .statement = "No wait is longer than the backoff allows",
    .source = "AWS Architecture Blog, Exponential Backoff And Jitter; gRPC A6",
    .parameters =
        "backoff.cap, backoff.base and factor where declared, backoff.jitter (its spread)",
    .decision =
        "The bound is the cap, and that retry's own ceiling where a base is declared, with the "
        "spread. Fails when two waits are longer, or one by more than 250 ms or a tenth. "
        "Inconclusive where the host's lateness explains it.",
    .judge = judge};

}  // namespace retrylab::verify::rules
