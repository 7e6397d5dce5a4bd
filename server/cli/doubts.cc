// SPDX-License-Identifier: MIT
#include "server/cli/doubts.h"

#include <algorithm>
#include <cstdio>

#include "server/cli/print.h"
#include "server/verify/profile.h"

namespace retrylab::cli {
namespace {

using scenario::Route;
using scenario::Scenario;
using scenario::Step;

bool is_judged(const Scenario& scenario, std::string_view rule) {
  const auto& off = scenario.expect.disabled_rules;
  const auto* profile = verify::find_profile(scenario.expect.profile);
  return profile != nullptr && verify::take_of(*profile, rule) == verify::Take::rule &&
         std::ranges::find(off, rule) == off.end();
}

bool may_not_be_repeated(const Route& route) {
  return (route.on.method == "POST" || route.on.method == "PATCH") && !route.idempotency;
}

// Nothing but its script decides what the first attempts get.
bool goes_by_script(const Scenario& scenario, const Route& route) {
  return scenario.connections.empty() && scenario.outages.empty() && route.overrides.empty() &&
         !route.rate_limit && !route.capacity;
}

bool is_refusal(const Step& step) {
  return (step.status == 429 || step.status == 503) && step.faults.empty() && !step.chance;
}

}  // namespace

std::optional<std::string> doubt_about(const Scenario& scenario) {
  const auto& attempts = scenario.expect.attempts;
  const bool wants_repeat = attempts && attempts->min.value_or(0) >= 2;
  if (!wants_repeat || scenario.routes.size() != 1 || !is_judged(scenario, "ID-2")) {
    return std::nullopt;
  }
  const Route& route = scenario.routes.front();
  if (!may_not_be_repeated(route) || !goes_by_script(scenario, route)) return std::nullopt;
  const Step& first = route.script.front();
  if (!is_refusal(first)) return std::nullopt;
  return fmt::format(
      "no client can pass: \"attempts\" wants {} at least, but ID-2 forbids to repeat a {} without "
      "a key after {}; give \"{}\" an \"idempotency\": {{}}, or name a profile without ID-2",
      *attempts->min, route.on.method, *first.status, route.on.text);
}

void warn_of_doubt(const std::string& name, const Scenario& scenario) {
  if (const auto doubt = doubt_about(scenario)) print(stderr, "{}: warning: {}\n", name, *doubt);
}

}  // namespace retrylab::cli
