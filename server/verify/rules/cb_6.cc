// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "server/verify/rules/all.h"
#include "server/verify/rules/breaker.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// Before that nobody knows what the load was.
constexpr std::size_t kRefusedLate = 10;

// The caller's mistake, not the server's trouble.
bool is_refusal(const AttemptEvidence& attempt) {
  return attempt.seen.answered() && attempt.seen.status / 100 == 4 && attempt.seen.status != 429;
}

void judge_host(const Arrivals& attempts, const scenario::ExpectSilence& silence, Tally& tally) {
  std::uint64_t refusals = 0;
  for (std::size_t i = 0; i + 1 < attempts.size(); ++i) {
    refusals = is_refusal(*attempts[i]) ? refusals + 1 : 0;
    if (refusals < silence.after || i + 1 < kRefusedLate) continue;
    const AttemptEvidence& next = *attempts[i + 1];
    const Duration gap = next.first_byte - attempts[i]->first_byte;
    if (!is_silent_after(attempts, i, silence)) {
      tally.kept(*attempts[i]);
      continue;
    }
    tally.broke(*attempts[i], next, std::nullopt, [&] {
      return Finding{
          "traffic goes on after answers that are the caller's mistake",
          fmt::format("silence for {} after {} of 4xx in a row, the last a {}", time_text(gap),
                      counted(refusals, "answer"), attempts[i]->seen.status),
          "Count only failures of the server for the breaker, and 429 if you like."};
    });
  }
}

RuleResult judge(const Evidence& evidence) {
  const auto& silence = evidence.scenario.expect.silence;
  Tally tally(evidence);
  if (silence) {
    for (const RunEvidence& run : evidence.runs) {
      for (const Arrivals& attempts : by_host(run)) judge_host(attempts, *silence, tally);
    }
  }
  return tally.result({.expected = "no breaker opens for 4xx",
                       .none = silence ? "there were never so many 4xx in a row"
                                       : "no breaker is declared: say silence"});
}

}  // namespace

constinit const Rule kCb6{
    .id = "CB-6",
    .statement = "4xx do not open the breaker",
    .source = "resilience4j, Polly, Hystrix: circuit breakers",
    .parameters = "silence: after, for",
    .decision =
        "Fails when as many 4xx in a row as declared (429 is none of them) are followed by a "
        "silence about as long as the breaker's, in which the load before it lets expect 14 "
        "attempts.",
    .judge = judge};

}  // namespace retrylab::verify::rules
