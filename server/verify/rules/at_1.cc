// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/layers.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// Attempts beyond the limit that a Retry-After called for are RA-12's.
bool was_called_for(const Chain& chain, std::uint64_t limit) {
  return chain.gaps.size() >= limit && chain.gaps[limit - 1].before->asked.valid();
}

void judge_chain(const Chain& chain, std::uint64_t limit, Tally& tally) {
  if (chain.tries() <= limit) return tally.kept(chain.first());
  if (was_called_for(chain, limit) || find_layers(chain)) return;
  tally.broke(chain.first(), chain.last(), std::nullopt, [&] {
    return Finding{
        fmt::format("at most {}", counted(limit, "attempt")),
        fmt::format("{} for {}", counted(chain.tries(), "attempt"), request_text(chain.first())),
        "Count attempts, not retries, and stop at the limit."};
  });
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  const auto limit = evidence.settings.attempts_max;
  if (limit) {
    for (const Chain& chain : evidence.chains) judge_chain(chain, *limit, tally);
  }
  return tally.result(
      {.expected =
           limit ? fmt::format("at most {}", counted(*limit, "attempt")) : "a limit to attempts",
       .none = limit ? "there was no operation" : "no limit is declared: say attempts.max"});
}

}  // namespace

constinit const Rule kAt1{.id = "AT-1",
                          .statement = "No more attempts than declared",
                          .source = "RULES AT-1; the SRE book, chapter 22",
                          .parameters = "attempts.max; profile",
                          .decision =
                              "Fails on one attempt too many for the same request. A stack's "
                              "silent resend does not count.",
                          .is_of_progress = true,
                          .judge = judge};

}  // namespace retrylab::verify::rules
