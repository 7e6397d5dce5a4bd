// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

void judge_chain(const Evidence& evidence, const Chain& chain, Tally& tally) {
  std::uint64_t expected = 0;
  bool is_counting = false;
  for (const AttemptEvidence& attempt : chain.attempts) {
    const auto announced = attempt.announced_retries;
    is_counting = is_counting || announced.has_value();
    // gRPC leaves the first attempt without one.
    const std::uint64_t counted_as = announced.value_or(0);
    if (is_counting && counted_as != expected) {
      return tally.broke(attempt, std::nullopt, [&] {
        return Finding{fmt::format("{} retries before it", expected),
                       fmt::format("{} says there were {}", name_of(evidence, attempt), counted_as),
                       "Count the attempts of the operation from zero, one by one."};
      });
    }
    ++expected;
  }
  if (is_counting) tally.kept(chain.first());
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  for (const Chain& chain : evidence.chains_if(evidence.occurring.announced_retries))
    judge_chain(evidence, chain, tally);
  return tally.result({.expected = "a counter that goes 0, 1, 2 ...",
                       .none = "no client announced which attempt it makes"});
}

}  // namespace

constinit const Rule kAt8{
    .id = "AT-8",
    .statement = "The attempt counter that a client sends is right",
    .source = "gRPC A6 (grpc-previous-rpc-attempts); amz-sdk-request; the SRE book, chapter 21",
    .parameters = "",
    .decision =
        "Advice when the announced number of earlier attempts is not the one that was seen.",
    .severity = Severity::advice,
    .judge = judge};

}  // namespace retrylab::verify::rules
