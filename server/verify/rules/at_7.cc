// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/layers.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  const auto limit = evidence.settings.attempts_max;
  for (const Chain& chain : evidence.chains_if(limit.has_value())) {
    const auto layers = chain.tries() > *limit ? find_layers(chain) : std::nullopt;
    if (!layers) {
      tally.kept(chain.first());
      continue;
    }
    tally.broke(chain.first(), chain.last(), std::nullopt, [&] {
      return Finding{fmt::format("at most {}", counted(*limit, "attempt")),
                     fmt::format("{}, {} x {}: bursts of {}, so two layers retry",
                                 counted(chain.tries(), "attempt"), layers->bursts,
                                 layers->attempts, layers->attempts),
                     "Retry in one layer only; let the inner one report its failures at once."};
    });
  }
  return tally.result(
      {.expected = "retries in one layer",
       .none = limit ? "there was no operation" : "no limit is declared: say attempts.max"});
}

}  // namespace

constinit const Rule kAt7{
    .id = "AT-7",
    .statement = "Only one layer retries",
    .source = "The SRE book, chapter 22: retries multiply",
    .parameters = "attempts.max",
    .decision =
        "Fails when there are more attempts than declared and they come in bursts of the same "
        "size, with the waits starting over after each: 3 x 3.",
    .judge = judge};

}  // namespace retrylab::verify::rules
