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

bool is_request_of_route(const journal::Attempt& attempt) {
  return attempt.planned.source != journal::Source::malformed &&
         attempt.planned.source != journal::Source::unmatched;
}

// What is no request, or none of the scenario's, shows nothing of the client.
std::uint64_t requests_of(const RunEvidence& run) {
  const auto& attempts = run.record->attempts;
  const auto begun = std::max<std::uint64_t>(run.record->attempts_begun, attempts.size());
  const auto others = attempts.size() - static_cast<std::size_t>(
                                            std::ranges::count_if(attempts, is_request_of_route));
  return begun - others;
}

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
  RuleResult result =
      judge_run_counts(evidence, evidence.scenario.expect.traffic.value_or(kSome),
                       {.noun = "request",
                        .advice = "The client made another number of requests than expected.",
                        .is_complete = true},
                       requests_of);
  if (const auto* connection = undelivered(evidence); connection && result.status == Status::pass) {
    result.status = Status::inconclusive;
    result.observed +=
        fmt::format("; the fault planned for connection {} did not take place", connection->id);
    result.advice = "The client left the connection first: was it too impatient for this fault?";
  }
  if (result.status != Status::fail || !result.observed.starts_with("no request")) return result;
  std::uint64_t connections = 0;
  std::uint64_t attempts = 0;
  for (const RunEvidence& run : evidence.runs) {
    connections += run.record->connections.size();
    attempts += run.record->attempts.size();
  }
  if (attempts > 0) {
    result.observed += fmt::format(" of a route, among {}", counted(attempts, "attempt"));
    result.advice = "Nothing that came was a request for one of the scenario's routes.";
    return result;
  }
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
        "Counts requests for one of the scenario's routes. Fails when a run had none at all: then "
        "nothing was shown. Inconclusive when "
        "a fault of the connections script did not take place.",
    .yields_to = kYieldsTo,
    .judge = judge};

}  // namespace retrylab::verify::rules
