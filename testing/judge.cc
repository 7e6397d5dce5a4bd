// SPDX-License-Identifier: MIT
#include "testing/judge.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>
#include <vector>

#include "server/verify/verdict.h"

namespace retrylab::testing {
namespace {

using verify::RuleResult;
using verify::Status;

bool one_of(std::string_view id, std::initializer_list<std::string_view> ids) {
  return std::ranges::find(ids, id) != ids.end();
}

std::string describe(const RuleResult& rule) {
  return rule.id + " " + std::string(verify::word(rule.status)) + ": expected " + rule.expected +
         ", observed " + rule.observed;
}

// Holds when none of the rules failed or is inconclusive and at least one had something to judge.
Judged judge_rules(const verify::Verdict& verdict, std::initializer_list<std::string_view> ids,
                   std::string_view nothing) {
  bool judged = false;
  for (const RuleResult& rule : verdict.rules) {
    if (!one_of(rule.id, ids)) continue;
    if (rule.status == Status::fail || rule.status == Status::inconclusive) {
      return {.holds = false, .why = describe(rule)};
    }
    judged = judged || rule.status == Status::pass;
  }
  return {.holds = judged, .why = judged ? "" : std::string(nothing)};
}

std::uint64_t count_resources(const journal::Run& run, std::string_view kind) {
  return static_cast<std::uint64_t>(
      std::ranges::count(run.resources, kind, &journal::Resource::kind));
}

bool reached_a_route(const journal::Attempt& attempt) {
  return attempt.planned.source != journal::Source::unmatched &&
         attempt.planned.source != journal::Source::malformed &&
         attempt.planned.source != journal::Source::connection;
}

}  // namespace

Judged judge_verdict(const MockServer& server) {
  const verify::Verdict& verdict = server.verdict();
  const std::string words = "the verdict is " + std::string(verify::word(verdict.status));
  for (const RuleResult& rule : verdict.rules) {
    if (rule.status == verdict.status && verdict.status != Status::pass) {
      return {.holds = false, .why = words + "; " + describe(rule)};
    }
  }
  return {.holds = verdict.status == Status::pass, .why = words};
}

Judged judge_created_once(const MockServer& server, std::string_view kind) {
  server.verdict();
  const std::uint64_t count = count_resources(server.journal(), kind);
  return {.holds = count == 1, .why = "it created " + std::to_string(count)};
}

Judged judge_retry_after(const MockServer& server) {
  return judge_rules(server.verdict(), {"RA-1", "RA-3", "RA-4", "RA-8", "RA-10"},
                     "no attempt followed an answer with a Retry-After");
}

Judged judge_backoff(const MockServer& server, const Ceilings& ceilings) {
  server.verdict();
  const journal::Run run = server.journal();
  scenario::Scenario scenario = server.scenario();
  scenario.expect.backoff =
      scenario::ExpectBackoff{.base = ceilings.base,
                              .factor_thousandths = std::llround(ceilings.factor * 1000),
                              .cap = ceilings.cap};
  scenario.expect.disabled_rules.clear();
  return judge_rules(verify::verify(scenario, std::span(&run, 1)), {"BO-1", "BO-2"},
                     "there was no wait to judge");
}

Judged judge_key(const MockServer& server) {
  return judge_rules(server.verdict(), {"ID-3", "ID-4", "ID-5"},
                     "no attempt had an idempotency key, or its route keeps none");
}

Judged judge_attempts(const MockServer& server, std::uint64_t count) {
  server.verdict();
  const auto made =
      static_cast<std::uint64_t>(std::ranges::count_if(server.journal().attempts, reached_a_route));
  return {.holds = made == count, .why = "it made " + std::to_string(made)};
}

}  // namespace retrylab::testing
