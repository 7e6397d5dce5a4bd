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

struct Excess {
  const Gap* gap = nullptr;
  Duration over{0};
};

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  const Outline outline{.expected = "no wait beyond the cap",
                        .none = evidence.settings.cap ? "the client never waited by itself"
                                                      : "no cap is declared: say backoff.cap"};
  if (!evidence.settings.cap) return tally.result(outline);
  const Duration allowed = cap_with_spread(evidence.settings);
  std::vector<Excess> excesses;
  const auto tell = [&](const Gap& gap) {
    return [&evidence, &gap, allowed] {
      return Finding{fmt::format("at most {} between attempts", time_text(allowed)),
                     came_after(evidence, gap),
                     "Cap every wait after the jitter: min(cap, base * factor^n)."};
    };
  };
  for (const Gap& gap : evidence.gaps) {
    if (!is_own_wait(gap) || !gap.wait_at_least) continue;
    const Lateness how_late = lateness(gap, allowed);
    switch (late(how_late)) {
      case Late::no:
        tally.kept(*gap.before);
        break;
      case Late::explained:
        tally.spoiled(*gap.before, *gap.after, tell(gap));
        break;
      case Late::proven:
        excesses.push_back({&gap, beyond(how_late)});
        break;
    }
  }
  const bool is_slight =
      excesses.size() == 1 && excesses[0].over <= std::max(kOneExcess, allowed / 10);
  for (const Excess& excess : excesses) {
    const Gap& gap = *excess.gap;
    if (is_slight) {
      tally.advise(*gap.before, *gap.after, excess.over, tell(gap));
    } else {
      tally.broke(*gap.before, *gap.after, excess.over, tell(gap));
    }
  }
  return tally.result(outline);
}

}  // namespace

constinit const Rule kBo1{
    .id = "BO-1",
    .statement = "No wait is longer than the cap",
    .source = "AWS Architecture Blog, Exponential Backoff And Jitter; gRPC A6",
    .parameters = "backoff.cap, backoff.jitter (its spread)",
    .decision =
        "Fails when two waits are longer, or one by more than 250 ms or a tenth. "
        "Inconclusive where the host's lateness explains it.",
    .judge = judge};

}  // namespace retrylab::verify::rules
