// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

constexpr scenario::CountRange kSome{.min = 1};

RuleResult judge(const Evidence& evidence) {
  RuleResult result = judge_run_counts(
      evidence, evidence.scenario.expect.traffic.value_or(kSome),
      {.noun = "request",
       .advice = "The client made another number of requests than expected.",
       .is_complete = true},
      [](const RunEvidence& run) {
        return std::max<std::uint64_t>(run.record->attempts_begun, run.record->attempts.size());
      });
  if (result.status != Status::fail || !result.observed.starts_with("no request")) return result;
  std::uint64_t connections = 0;
  for (const RunEvidence& run : evidence.runs) connections += run.record->connections.size();
  if (connections == 0) {
    result.advice = "Did it read RETRYLAB_URL?";
  } else {
    result.observed += fmt::format(", on {}", counted(connections, "connection"));
    result.advice =
        "It connected and sent no request: was it TLS, or were all connections cut by "
        "the scenario?";
  }
  return result;
}

}  // namespace

constinit const Rule kTraffic{
    .id = "traffic",
    .statement = "Requests per run",
    .parameters = "traffic; default: at least one",
    .decision = "Fails when a run had no request at all: then nothing was shown.",
    .judge = judge};

}  // namespace retrylab::verify::rules
