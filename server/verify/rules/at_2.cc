// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// Every attempt failed in a way that has to be retried, and no more were made.
bool failed_wholly(const Evidence& evidence, const Chain& chain) {
  for (const AttemptEvidence& attempt : chain.attempts) {
    const bool is_plain = attempt.asked.kind != RetryAfter::Kind::invalid && !attempt.asked.past;
    if (!is_plain || !may_be_followed(evidence, attempt)) return false;
  }
  return true;
}

void judge_chain(const Evidence& evidence, const Chain& chain, std::uint64_t limit, Tally& tally) {
  const AttemptEvidence& last = chain.last();
  // What may be a stack's silent resend counts for the client.
  if (chain.attempts.size() >= limit) return tally.kept(last);
  const auto tell = [&] {
    return Finding{fmt::format("all {}, since every one failed", counted(limit, "attempt")),
                   fmt::format("{} for {}, then {}", counted(chain.tries(), "attempt"),
                               request_text(last), ending_text(evidence, last)),
                   "Use every attempt there is while time permits."};
  };
  switch (afterwards(evidence, last)) {
    case Afterwards::gave_up:
      return tally.broke(chain.first(), last, std::nullopt, tell);
    case Afterwards::hung:
    case Afterwards::unknown:
    case Afterwards::too_soon:
      return tally.spoiled(chain.first(), last, tell);
  }
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  const auto limit = evidence.settings.attempts_max;
  const bool is_declared = limit && evidence.settings.attempts_min == limit;
  if (is_declared) {
    for (const Chain& chain : evidence.chains) {
      // A single attempt that nothing followed is CLS-1's.
      const bool is_judged = chain.tries() > 1 && failed_wholly(evidence, chain);
      if (is_judged) judge_chain(evidence, chain, *limit, tally);
    }
  }
  return tally.result({.expected = "all attempts when every one fails",
                       .none = is_declared ? "no operation failed to its end"
                                           : "no exact number is declared: say \"attempts\": n"});
}

}  // namespace

constinit const Rule kAt2{
    .id = "AT-2",
    .statement = "All declared attempts are made while every one fails",
    .source = "RULES AT-2",
    .parameters = "attempts (an exact number), total_time.max, backoff.cap",
    .decision =
        "Fails when the client ends with attempts left. Not after a wait beyond the cap or the "
        "deadline, nor when the next wait could pass the deadline.",
    .is_of_progress = true,
    .judge = judge};

}  // namespace retrylab::verify::rules
