// SPDX-License-Identifier: MIT
#include "server/audit/infer/reactions.h"

#include <algorithm>

namespace retrylab::audit {
namespace {

struct Probe {
  std::string_view scenario;
  std::string_view what;
};

constexpr Probe kProbes[] = {
    {"audit-status-408", "408"},
    {"audit-status-409", "409"},
    {"audit-status-425", "425"},
    {"audit-status-429", "429"},
    {"audit-status-500", "500"},
    {"audit-status-502", "502"},
    {"audit-status-503", "503"},
    {"audit-status-504", "504"},
    {"audit-reset", "reset"},
    {"audit-close", "close"},
    {"audit-cut", "cut"},
    {"audit-stall", "timeout"},
    {"audit-post-status-429", "429"},
    {"audit-post-status-500", "500"},
    {"audit-post-status-502", "502"},
    {"audit-post-status-503", "503"},
    {"audit-post-status-504", "504"},
    {"audit-post-reset", "reset"},
    {"audit-post-stall", "timeout"},
};

Answer retried(const verify::Evidence& evidence) {
  const auto again = [](const verify::Chain& chain) { return chain.tries() > 1; };
  if (std::ranges::any_of(evidence.chains, again)) return Answer::yes;
  // One that was stopped might have tried again later.
  const bool all_ended = std::ranges::all_of(evidence.runs, ended_by_itself);
  return all_ended ? Answer::no : Answer::unknown;
}

}  // namespace

std::vector<Reaction> infer_reactions(const Observed& observed) {
  std::vector<Reaction> reactions;
  for (const Probe& probe : kProbes) {
    const auto* evidence = observed.of(probe.scenario);
    if (evidence == nullptr) continue;
    const auto& first = (*evidence->chains.begin()).first();
    Reaction reaction{.what = std::string(probe.what),
                      .method = first.record->method,
                      .has_key = !first.record->key.empty(),
                      .retried = retried(*evidence)};
    // A client whose method is its own meets every probe twice.
    const bool is_known = std::ranges::any_of(reactions, [&](const Reaction& other) {
      return other.what == reaction.what && other.method == reaction.method;
    });
    if (!is_known) reactions.push_back(std::move(reaction));
  }
  return reactions;
}

}  // namespace retrylab::audit
