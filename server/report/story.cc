// SPDX-License-Identifier: MIT
#include "server/report/story.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "client_lib/base/duration_text.h"
#include "client_lib/base/http.h"
#include "server/report/layout.h"

namespace retrylab::report {
namespace {

using journal::Attempt;
using journal::Source;

std::string_view source_words(Source source) {
  switch (source) {
    case Source::unmatched:
      return "no route matches";
    case Source::malformed:
      return "not a valid request";
    case Source::outage:
      return "outage";
    case Source::override_step:
      return "override";
    case Source::rate_limit:
      return "rate limit";
    case Source::capacity:
      return "over capacity";
    case Source::key_missing:
      return "idempotency key missing";
    case Source::key_reused:
      return "same key, other payload";
    case Source::key_in_flight:
      return "same key still in flight";
    case Source::replay:
      return "replayed";
    case Source::after_script:
      return "script used up";
    case Source::connection:
      return "cut by the connections script";
    case Source::script:
      return "";
  }
  return "";
}

std::string answer_words(const Attempt& attempt) {
  if (attempt.planned.status == 0) return "no answer";
  const auto phrase = reason_phrase(attempt.planned.status);
  return fmt::format("{}{}{}", attempt.planned.status, phrase.empty() ? "" : " ", phrase);
}

// An execution that the answer does not show: the status is not 2xx, or a fault kept it back.
bool executed_unseen(const Attempt& attempt) {
  const int status = attempt.planned.status;
  return attempt.executed && attempt.resource.empty() && !attempt.replayed &&
         (status < 200 || status > 299 || !attempt.planned.faults.empty());
}

std::string created_words(const journal::Run& run, const Attempt& attempt) {
  const auto made = std::ranges::find(run.resources, attempt.id, &journal::Resource::attempt);
  const std::string kind = made == run.resources.end() ? "resource" : made->kind;
  return "created " + resource_name(kind, attempt.resource);
}

std::string faults_words(const Attempt& attempt) {
  return fmt::format("{}{}", fmt::join(attempt.planned.faults, ", "),
                     attempt.delivered.faults_delivered ? "" : " (not delivered)");
}

std::string ending_words(const Attempt& attempt) {
  switch (attempt.delivered.ending) {
    case journal::Ending::delivered:
      return "";
    case journal::Ending::pending:
      return "not over when the run ended";
    case journal::Ending::failed:
      return "this host could not write it";
    case journal::Ending::peer_left:
      break;
  }
  if (!attempt.delivered.peer_left) return "client left";
  return fmt::format("client left after {}",
                     format_measured(*attempt.delivered.peer_left - attempt.first_byte));
}

}  // namespace

const journal::Run* Lookup::run(std::uint32_t number) const {
  const auto found = std::ranges::find(runs_, number, &journal::Run::number);
  return found == runs_.end() ? nullptr : &*found;
}

const Attempt* Lookup::attempt(verify::AttemptRef ref) const {
  const journal::Run* of = run(ref.run);
  if (of == nullptr) return nullptr;
  const auto found = std::ranges::lower_bound(of->attempts, ref.attempt, {}, &Attempt::id);
  return found == of->attempts.end() || found->id != ref.attempt ? nullptr : &*found;
}

Duration since_zero(const journal::Run& run, Instant at) {
  return at - run.zero.value_or(Instant{});
}

std::optional<Duration> gap(const Attempt& before, const Attempt& after) {
  const auto& delivered = before.delivered;
  if (delivered.r_min) return after.first_byte - *delivered.r_min;
  if (delivered.peer_left) return after.first_byte - *delivered.peer_left;
  return std::nullopt;
}

std::string request_words(const Attempt& attempt) {
  if (attempt.planned.source == Source::malformed && attempt.method.empty()) return "(rubbish)";
  auto words = fmt::format("{} {}", attempt.method.str(), attempt.target.str());
  if (!attempt.key.empty()) words += fmt::format("  key {}", clipped(attempt.key, 9));
  return printable(words);
}

std::string server_words(const journal::Run& run, const Attempt& attempt) {
  std::vector<std::string> parts{answer_words(attempt)};
  const auto add = [&](std::string part) {
    if (!part.empty()) parts.push_back(std::move(part));
  };
  add(std::string(source_words(attempt.planned.source)));
  add(attempt.planned.note);
  for (const auto& value : attempt.planned.retry_after) add("Retry-After: " + value);
  if (!attempt.planned.location.empty()) add("Location: " + attempt.planned.location.str());
  if (attempt.planned.delay > Duration(0)) {
    add("after " + format_duration(attempt.planned.delay));
  }
  if (!attempt.planned.faults.empty()) add(faults_words(attempt));
  if (!attempt.resource.empty() && !attempt.replayed) add(created_words(run, attempt));
  if (executed_unseen(attempt)) add("executed");
  add(ending_words(attempt));
  return printable(fmt::format("{}", fmt::join(parts, " · ")));
}

std::string client_words(const journal::ClientEnd& client) {
  using Outcome = journal::ClientEnd::Outcome;
  std::vector<std::string> details;
  if (client.exit_code) details.push_back(fmt::format("exit {}", *client.exit_code));
  if (client.signal) details.push_back(fmt::format("signal {}", *client.signal));
  if (client.declared) details.emplace_back("by its own word");
  if (client.status) details.push_back(fmt::format("status {}", *client.status));
  if (!client.reason.empty() && client.outcome != Outcome::success)
    details.push_back(client.reason);
  const auto tail = details.empty() ? "" : fmt::format(" ({})", fmt::join(details, ", "));
  switch (client.outcome) {
    case Outcome::none:
      return "ended" + printable(tail);
    case Outcome::success:
      return "succeeded" + printable(tail);
    case Outcome::failure:
      return "failed" + printable(tail);
    case Outcome::hung:
      return "hung: stopped by the time limit";
    case Outcome::signalled:
      return "was killed" + printable(tail);
    case Outcome::interrupted:
      return "was interrupted, as this run was" + printable(tail);
  }
  return "ended";
}

std::string resource_name(std::string_view kind, std::string_view id) {
  return printable(id.starts_with(kind) ? std::string(id) : fmt::format("{} {}", kind, id));
}

std::string resource_words(const journal::Resource& resource) {
  return printable(
      fmt::format("{} by attempt {}", resource_name(resource.kind, resource.id), resource.attempt));
}

std::string evidence_words(const verify::RuleResult& rule) {
  constexpr std::size_t kShown = 8;
  const auto& refs = rule.attempts;
  const bool many_runs = std::ranges::any_of(refs, [](const auto& ref) { return ref.run != 1; });
  std::string words;
  std::uint32_t run = 0;
  for (std::size_t i = 0; i < std::min(refs.size(), kShown); ++i) {
    const bool new_run = many_runs && refs[i].run != run;
    if (i > 0) words += new_run ? "; " : ", ";
    if (new_run) words += fmt::format("run {}: ", refs[i].run);
    words += fmt::format("{}", refs[i].attempt);
    run = refs[i].run;
  }
  if (refs.size() > kShown) words += fmt::format(" and {} more", refs.size() - kShown);
  return words;
}

std::string_view grouping_words(verify::Grouping grouping) {
  switch (grouping) {
    case verify::Grouping::one_process:
      return "client process";
    case verify::Grouping::scenario:
      return "the scenario's `operation`";
    case verify::Grouping::invocation_header:
      return "the client's invocation header";
    case verify::Grouping::fingerprint:
      return "method, target and body";
    case verify::Grouping::fingerprint_and_key:
      return "method, target, body and key";
  }
  return "";
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string rule_ids(const verify::Verdict& verdict, verify::Status status) {
  std::vector<std::string_view> ids;
  for (const auto& rule : verdict.rules) {
    if (rule.status == status) ids.push_back(rule.id);
  }
  return fmt::format("{}", fmt::join(ids, ", "));
}

}  // namespace retrylab::report
