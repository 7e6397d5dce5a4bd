// SPDX-License-Identifier: MIT
#include "server/audit/premise.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"

namespace retrylab::audit {
namespace {

using journal::Attempt;
using journal::Source;
using Unmet = std::optional<std::string>;

// It shows what a client does, whatever that is. Those of waits take for granted that it retries.
bool is_probe(const Case& one) {
  const std::string& name = one.scenario.name;
  return name.starts_with("audit-") && !name.starts_with("audit-wait-");
}

template <typename Holds>
bool all_attempts(const Case& one, const Holds& holds) {
  return std::ranges::all_of(
      one.runs, [&](const journal::Run& run) { return std::ranges::all_of(run.attempts, holds); });
}

const Attempt* first_attempt(const Case& one) {
  for (const journal::Run& run : one.runs) {
    if (!run.attempts.empty()) return &run.attempts.front();
  }
  return nullptr;
}

bool sends_a_key(const Attempt& attempt) {
  return attempt.header("Idempotency-Key").has_value();
}

Unmet unmet_by_request(const Case& one) {
  const auto unsupported = [](const journal::Run& run) {
    return run.attempts.empty() && std::ranges::any_of(run.clients, [](const auto& client) {
             return client.exit_code == kExitUnsupported;
           });
  };
  if (std::ranges::any_of(one.runs, unsupported)) {
    return "the client says that it cannot make this request";
  }
  if (std::ranges::any_of(one.runs, was_stopped_before_it_began)) {
    return "a client was stopped before it had connected: raise --timeout, or lower --jobs";
  }
  const Attempt* first = first_attempt(one);
  if (first == nullptr) return std::nullopt;
  if (all_attempts(one, [](const Attempt& a) { return a.planned.source == Source::unmatched; })) {
    return fmt::format("the client sends {} {}, the scenario needs {}", first->method.str(),
                       first->target.str(), one.scenario.routes.front().on.text);
  }
  if (all_attempts(one, [](const Attempt& a) { return a.planned.source == Source::key_missing; })) {
    return "the client sends no idempotency key";
  }
  return std::nullopt;
}

// A probe shows what it can in the time there is: being stopped in it is no flaw.
Unmet unmet_by_time(const Case& one) {
  const auto hung = [](const journal::Run& run) {
    return std::ranges::find(run.clients, journal::ClientEnd::Outcome::hung,
                             &journal::ClientEnd::outcome) != run.clients.end();
  };
  if (one.verdict.status != verify::Status::inconclusive || !std::ranges::any_of(one.runs, hung)) {
    return std::nullopt;
  }
  return "the client was still busy when it was stopped, and nothing wrong by then";
}

// A scenario about requests without protection, to a client that believes to have one.
Unmet unmet_by_key(const Case& one) {
  const Attempt* first = first_attempt(one);
  const auto& route = one.scenario.routes.front();
  const bool protects = route.creates.empty() || route.idempotency;
  if (protects || first == nullptr || !sends_a_key(*first)) return std::nullopt;
  return "the client sends a key and cannot know that this server does not keep it";
}

// The failure that the scenario begins with, where that is a status one may retry.
std::optional<int> first_failure(const scenario::Scenario& scenario) {
  constexpr std::array kRetried{408, 425, 429, 500, 502, 503, 504};
  const auto& script = scenario.routes.front().script;
  if (!scenario.outages.empty() || script.empty() || !script.front().status) return std::nullopt;
  const int status = *script.front().status;
  if (std::ranges::find(kRetried, status) == kRetried.end()) return std::nullopt;
  return status;
}

// The client does not go where a redirect sends it.
Unmet unmet_by_redirect(const Case& one) {
  const auto& routes = one.scenario.routes;
  const auto& script = routes.front().script;
  const bool redirects =
      routes.size() > 1 && !script.empty() && script.front().status.value_or(0) / 100 == 3;
  const bool all_there = all_attempts(
      one, [&](const Attempt& attempt) { return attempt.planned.route == routes.front().on.text; });
  if (!redirects || !all_there || first_attempt(one) == nullptr) return std::nullopt;
  return "the client does not follow redirects";
}

// A broken gzip body, to a client that did not ask for one and hands on the bytes as they are.
Unmet unmet_by_encoding(const Case& one) {
  const auto is_coded = [](const scenario::Step& step) { return step.encoding.has_value(); };
  const auto asks_for_none = [](const Attempt& attempt) {
    const auto wanted = attempt.header("Accept-Encoding").value_or("");
    return wanted.find("gzip") == wanted.npos && wanted.find('*') == wanted.npos;
  };
  if (!std::ranges::any_of(one.scenario.routes.front().script, is_coded)) return std::nullopt;
  if (first_attempt(one) == nullptr || !all_attempts(one, asks_for_none)) return std::nullopt;
  return "the client does not ask for gzip";
}

// A scenario that cuts the next request on a connection, to a client that made none there.
Unmet unmet_by_connection(const Case& one) {
  const auto cuts_next = [](const scenario::Step& step) {
    return std::ranges::find(step.faults, scenario::Moment::next_request, &scenario::Fault::at) !=
           step.faults.end();
  };
  const bool is_cut = std::ranges::any_of(one.runs, [](const journal::Run& run) {
    return std::ranges::find(run.attempts, Source::connection, [](const Attempt& attempt) {
             return attempt.planned.source;
           }) != run.attempts.end();
  });
  if (is_cut || !std::ranges::any_of(one.scenario.routes.front().script, cuts_next)) {
    return std::nullopt;
  }
  return "the client makes no second request on a connection";
}

// The client gives up rather than wait so long, which is right.
Unmet unmet_by_patience(const Case& one, const Findings& findings) {
  const auto& expect = one.scenario.expect;
  const bool wants_more = expect.attempts && expect.attempts->min.value_or(1) > 1;
  const auto& refused = findings.waits.refused;
  for (const auto& step : one.scenario.routes.front().script) {
    if (!wants_more || !refused || !step.retry_after) continue;
    if (step.retry_after->wait < *refused) continue;
    return fmt::format("the client gives up rather than wait {}",
                       format_measured(step.retry_after->wait));
  }
  return std::nullopt;
}

bool forbids_retries(const scenario::Expect& expect) {
  return expect.attempts && expect.attempts->max == 1;
}

Unmet unmet_by_policy(const Case& one, const Findings& findings) {
  if (forbids_retries(one.scenario.expect) && findings.never_retries()) {
    return "the client never retries anything, so that not retrying this shows nothing";
  }
  const Attempt* first = first_attempt(one);
  const auto status = first_failure(one.scenario);
  if (first != nullptr && status &&
      findings.reaction(fmt::format("{}", *status), first->method) == Answer::no) {
    return fmt::format("the client does not retry {} of {} (see audit-{}status-{})", *status,
                       first->method.str(), first->method == "POST" ? "post-" : "", *status);
  }
  if (auto unmet = unmet_by_patience(one, findings)) return unmet;
  const auto& wanted = one.scenario.expect.attempts;
  const auto most = findings.attempts.most;
  if (wanted && wanted->min && most && !findings.attempts.without_end && *most < *wanted->min) {
    return fmt::format("the client makes {} at most, the scenario needs {}",
                       *most == 1 ? "1 attempt" : fmt::format("{} attempts", *most), *wanted->min);
  }
  return std::nullopt;
}

}  // namespace

bool was_stopped_before_it_began(const journal::Run& run) {
  return run.connections_opened == 0 &&
         std::ranges::find(run.clients, journal::ClientEnd::Outcome::hung,
                           &journal::ClientEnd::outcome) != run.clients.end();
}

std::optional<std::string> unmet_premise(const Case& one, const Findings& findings) {
  if (one.runs.empty()) return "it was not run";
  if (auto unmet = unmet_by_request(one)) return unmet;
  if (auto unmet = unmet_by_key(one)) return unmet;
  if (auto unmet = unmet_by_redirect(one)) return unmet;
  if (auto unmet = unmet_by_encoding(one)) return unmet;
  if (auto unmet = unmet_by_connection(one)) return unmet;
  return is_probe(one) ? unmet_by_time(one) : unmet_by_policy(one, findings);
}

}  // namespace retrylab::audit
