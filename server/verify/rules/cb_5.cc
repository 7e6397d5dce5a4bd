// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <optional>

#include "server/verify/rules/all.h"
#include "server/verify/rules/breaker.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

Duration gap_after(const Arrivals& attempts, std::size_t last) {
  return attempts[last + 1]->first_byte - attempts[last]->first_byte;
}

// The attempt before the longest time without one that touches the opening.
std::optional<std::size_t> before_longest_gap(const Arrivals& attempts, const Opening& opening) {
  std::optional<std::size_t> longest;
  for (std::size_t i = 0; i + 1 < attempts.size(); ++i) {
    const bool touches =
        attempts[i]->first_byte < opening.until && attempts[i + 1]->first_byte > opening.from;
    if (!touches) continue;
    if (!longest || gap_after(attempts, *longest) < gap_after(attempts, i)) longest = i;
  }
  return longest;
}

// `other` is what the client asked of another host meanwhile.
void judge_other(const Evidence& evidence, const Opening& opening, const Arrivals& other,
                 Tally& tally) {
  const auto last = before_longest_gap(other, opening);
  if (!last || is_trouble(*other[*last])) return;
  const AttemptEvidence& next = *other[*last + 1];
  if (!is_silent_after(other, *last, *evidence.scenario.expect.silence)) return tally.kept(next);
  tally.broke(*opening.last_failure, next, std::nullopt, [&] {
    return Finding{"traffic to a host that is well goes on",
                   fmt::format("{} failed as often as opens a breaker, and nothing came for {} for "
                               "{}, the last answer from which was {}",
                               opening.last_failure->record->header("Host").value_or("one host"),
                               next.record->header("Host").value_or("another"),
                               time_text(gap_after(other, *last)), describe(other[*last]->seen)),
                   "Keep a breaker for each host: what fails at one says nothing of another."};
  });
}

void judge_run(const Evidence& evidence, const RunEvidence& run, Tally& tally) {
  const std::vector<Arrivals> hosts = by_host(run);
  if (hosts.size() < 2) return;
  for (const Arrivals& failing : hosts) {
    for (const Opening& opening : openings_of(failing, *evidence.scenario.expect.silence)) {
      if (opening.intruder != nullptr) continue;  // CB-1, CB-2, CB-4
      for (const Arrivals& other : hosts) {
        if (&other != &failing) judge_other(evidence, opening, other, tally);
      }
    }
  }
}

RuleResult judge(const Evidence& evidence) {
  const bool is_declared = evidence.scenario.expect.silence.has_value();
  Tally tally(evidence);
  if (is_declared) {
    for (const RunEvidence& run : evidence.runs) judge_run(evidence, run, tally);
  }
  return tally.result({.expected = "a breaker for each host",
                       .none = is_declared ? "no other host was asked while a breaker was open"
                                           : "no breaker is declared: say silence"});
}

}  // namespace

constinit const Rule kCb5{
    .id = "CB-5",
    .statement = "A breaker that opens for one host does not silence another",
    .source = "resilience4j, Polly, Hystrix: circuit breakers",
    .parameters = "silence: after, for",
    .decision =
        "Hosts are told apart by the Host header, so that 127.0.0.1 and localhost are two. Fails "
        "when one host's breaker opens and at that time another, whose last answer was no failure, "
        "gets nothing for about as long as the breaker's time, though its load before lets expect "
        "14 attempts.",
    .judge = judge};

}  // namespace retrylab::verify::rules
