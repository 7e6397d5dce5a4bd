// SPDX-License-Identifier: MIT
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

RuleResult judge(const Evidence& evidence) {
  return judge_run_counts(evidence, evidence.scenario.expect.connections,
                          {.noun = "connection",
                           .advice = "Keep connections alive, and open no more than needed.",
                           .is_complete = true},
                          [](const RunEvidence& run) {
                            return std::max<std::uint64_t>(run.record->connections_opened,
                                                           run.record->connections.size());
                          });
}

}  // namespace

constinit const Rule kConnections{
    .id = "connections",
    .statement = "Connections per run",
    .parameters = "connections",
    .decision = "Counts accepted connections, those that were cut before a request too.",
    .yields_to = kYieldsTo,
    .is_of_progress = true,
    .judge = judge};

}  // namespace retrylab::verify::rules
