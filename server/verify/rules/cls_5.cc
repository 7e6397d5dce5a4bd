// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  for (const Gap& gap : evidence.gaps_if(evidence.occurring.status(408))) {
    const AttemptEvidence& before = *gap.before;
    if (before.seen.status != 408 || !before.closes_connection) continue;
    if (before.connection != gap.after->connection) {
      tally.kept(before);
      continue;
    }
    tally.broke(before, *gap.after, std::nullopt, [&] {
      return Finding{"",
                     fmt::format("{} came on the connection that the 408 had closed",
                                 name_of(evidence, *gap.after)),
                     "Repeat after a 408 on a new connection."};
    });
  }
  return tally.result({.expected = "a repeat on a new connection, or none",
                       .none = "no 408 that closed its connection was followed by a repeat"});
}

}  // namespace

constinit const Rule kCls5{
    .id = "CLS-5",
    .statement = "A repeat after a 408 that closed its connection uses a new one",
    .source = "RFC 9110 §15.5.9",
    .parameters = "",
    .decision =
        "Fails when the repeat arrives on the connection of the 408. Not repeating is right too.",
    .judge = judge};

}  // namespace retrylab::verify::rules
