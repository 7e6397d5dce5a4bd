// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

struct Load {
  std::uint64_t attempts = 0;
  std::uint64_t operations = 0;
};

Load load_of(const RunEvidence& run) {
  Load load{.operations = run.operations.size()};
  for (const OperationEvidence& operation : run.operations) {
    for (const Chain& chain : operation.chains) load.attempts += chain.tries();
  }
  return load;
}

double amplification(const Load& load) {
  return static_cast<double>(load.attempts) / static_cast<double>(load.operations);
}

RuleResult judge(const Evidence& evidence) {
  const auto limit = evidence.scenario.expect.amplification;
  RuleResult result{
      .status = Status::not_applicable,
      .observed = limit ? "there was no operation" : "no limit is declared: say amplification"};
  for (const RunEvidence& run : evidence.runs) {
    const Load load = load_of(run);
    if (!limit || load.operations == 0) continue;
    const double most = static_cast<double>(limit->part) / static_cast<double>(limit->whole);
    const bool is_over = load.attempts * limit->whole > limit->part * load.operations;
    const RuleResult one{.status = is_over            ? Status::fail
                                   : evidence.dropped ? Status::inconclusive
                                                      : Status::pass,
                         .expected = fmt::format("at most {:.3g} attempts per operation", most),
                         .observed = fmt::format("{:.3g}: {} for {}", amplification(load),
                                                 counted(load.attempts, "attempt"),
                                                 counted(load.operations, "operation")),
                         .advice = is_over ? "Share a retry budget among all operations." : ""};
    if (weight(one.status) > weight(result.status)) result = one;
  }
  return result;
}

}  // namespace

constinit const Rule kBu1{
    .id = "BU-1",
    .statement = "Retries do not multiply the load beyond what is declared",
    .source = "The SRE book, chapter 21",
    .parameters = "amplification",
    .decision =
        "Attempts of a run over its operations. Without a budget R retries make at most 1 + R.",
    .is_of_progress = true,
    .judge = judge};

}  // namespace retrylab::verify::rules
