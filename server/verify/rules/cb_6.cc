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

// A silence in which so many attempts were due is none by chance: e^-14 is below 1e-6.
constexpr double kDueMin = 14;
// The load is taken from so many attempts before it.
constexpr std::size_t kLoadFrom = 10;

// The caller's mistake, not the server's trouble.
bool is_refusal(const AttemptEvidence& attempt) {
  return attempt.seen.answered() && attempt.seen.status / 100 == 4 && attempt.seen.status != 429;
}

double seconds(Duration time) {
  return std::chrono::duration<double>(time).count();
}

// Attempts that the load before attempt number `last` lets expect in a time.
double due_in(Duration time, const std::vector<const AttemptEvidence*>& attempts,
              std::size_t last) {
  const Duration measured = attempts[last]->first_byte - attempts[last + 1 - kLoadFrom]->first_byte;
  return seconds(time) * static_cast<double>(kLoadFrom - 1) / std::max(seconds(measured), 1e-6);
}

// The silence is as long as the breaker's, and much too long for the load.
bool is_silence(Duration gap, const std::vector<const AttemptEvidence*>& attempts, std::size_t last,
                const scenario::ExpectSilence& silence) {
  return gap >= silence.lasts * 3 / 4 && gap <= silence.lasts * 3 / 2 &&
         due_in(gap, attempts, last) >= kDueMin;
}

void judge_run(const RunEvidence& run, const scenario::ExpectSilence& silence, Tally& tally) {
  const auto attempts = in_order_of_arrival(run);
  std::uint64_t refusals = 0;
  for (std::size_t i = 0; i + 1 < attempts.size(); ++i) {
    refusals = is_refusal(*attempts[i]) ? refusals + 1 : 0;
    if (refusals < silence.after || i + 1 < kLoadFrom) continue;
    const AttemptEvidence& next = *attempts[i + 1];
    const Duration gap = next.first_byte - attempts[i]->first_byte;
    if (!is_silence(gap, attempts, i, silence)) {
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
    for (const RunEvidence& run : evidence.runs) judge_run(run, *silence, tally);
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
