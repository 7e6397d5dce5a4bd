// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

bool is_declared(const Evidence& evidence) {
  return std::ranges::any_of(evidence.scenario.routes, [](const scenario::Route& route) {
    return route.after_script == scenario::AfterScript::fail;
  });
}

RuleResult judge(const Evidence& evidence) {
  if (!is_declared(evidence)) return not_declared();
  Tally tally(evidence);
  for (const AttemptEvidence& attempt : evidence.attempts) {
    if (attempt.source != journal::Source::after_script) {
      tally.kept(attempt);
      continue;
    }
    tally.broke(attempt, std::nullopt, [&] {
      return Finding{"",
                     fmt::format("{} came when the script of {} was over",
                                 name_of(evidence, attempt), attempt.record->planned.route.str()),
                     "Stop when the attempts are used up."};
    });
  }
  return tally.result({.expected = "no attempt beyond the script",
                       .none = "no attempt was made",
                       .is_never = true});
}

}  // namespace

constinit const Rule kAfterScript{
    .id = "after_script",
    .statement = "Attempts beyond a route's script",
    .parameters = "route.after_script: fail",
    .decision = "Fails on one attempt that comes when the script of its route is over.",
    .judge = judge};

}  // namespace retrylab::verify::rules
