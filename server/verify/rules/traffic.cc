// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// Who never came back made too few.
constexpr std::array<std::string_view, 1> kYieldsTo{"CLS-1"};

constexpr scenario::CountRange kSome{.min = 1};

// A connection that its client left before its faults took place: what was to be shown was not.
const journal::Connection* undelivered(const Evidence& evidence) {
  for (const RunEvidence& run : evidence.runs) {
    const auto found =
        std::ranges::find(run.record->connections, false, &journal::Connection::faults_delivered);
    if (found != run.record->connections.end()) return &*found;
  }
  return nullptr;
}

RuleResult judge(const Evidence& evidence) {
  RuleResult result = judge_run_counts(
      evidence, evidence.scenario.expect.traffic.value_or(kSome),
      {.noun = "request",
       .advice = "The client made another number of requests than expected.",
       .is_complete = true},
      [](const RunEvidence& run) {
        return std::max<std::uint64_t>(run.record->attempts_begun, run.record->attempts.size());
      });
  if (const auto* connection = undelivered(evidence); connection && result.status == Status::pass) {
    result.status = Status::inconclusive;
    result.observed +=
        fmt::format("; the fault planned for connection {} did not take place", connection->id);
    result.advice = "The client left the connection first: was it too impatient for this fault?";
  }
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
    .decision =
        "Fails when a run had no request at all: then nothing was shown. Inconclusive when "
        "a fault of the connections script did not take place.",
    .yields_to = kYieldsTo,
    .judge = judge};

}  // namespace retrylab::verify::rules
