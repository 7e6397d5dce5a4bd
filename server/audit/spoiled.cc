// SPDX-License-Identifier: MIT
#include "server/audit/spoiled.h"

#include <algorithm>

#include "server/audit/premise.h"

namespace retrylab::audit {
namespace {

bool was_stopped(const Case& one) {
  return std::ranges::any_of(one.runs, [](const journal::Run& run) {
    return std::ranges::any_of(run.clients, [](const journal::ClientEnd& client) {
      return client.outcome == journal::ClientEnd::Outcome::hung;
    });
  });
}

// Nothing is broken but that the client took longer than the scenario allows: starting and ending a
// process cost CPU.
bool is_only_late(const Case& one) {
  const auto is_late_or_sound = [](const verify::RuleResult& rule) {
    return rule.status != verify::Status::fail || rule.id == "client" || rule.id == "total_time";
  };
  return one.verdict.status == verify::Status::fail && !was_stopped(one) &&
         std::ranges::all_of(one.verdict.rules, is_late_or_sound);
}

}  // namespace

bool is_spoiled(const Case& one) {
  if (is_only_late(one)) return true;
  const bool began = std::ranges::none_of(one.runs, was_stopped_before_it_began);
  return !began || (one.verdict.status == verify::Status::inconclusive &&
                    verify::may_end_otherwise(one.verdict) && !was_stopped(one));
}

}  // namespace retrylab::audit
