// SPDX-License-Identifier: MIT
#include "server/report/audit/policy_words.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "client_lib/base/duration_text.h"
#include "server/report/story.h"

namespace retrylab::report {
namespace {

using audit::Answer;
using audit::Findings;

constexpr std::string_view kNotSeen = "not seen";

std::string attempts_words(const Findings& findings) {
  const auto& found = findings.attempts;
  if (!found.most) return std::string(kNotSeen);
  std::string text =
      fmt::format("{} at most ({})", *found.most, counted(found.operations, "operation"));
  if (found.without_end) return text + ", still trying when it was stopped";
  return found.varies ? text + ", fewer in some: time ends them" : text;
}

std::string jitter_words(const audit::BackoffFound& found) {
  const auto percent = static_cast<int>(found.spread * 100 + 0.5);
  switch (found.jitter) {
    case Jitter::none:
      return found.added == Duration(0)
                 ? "none"
                 : fmt::format("up to {} more, whatever the wait", format_measured(found.added));
    case Jitter::full:
      return "full (from zero to the ceiling)";
    case Jitter::equal:
      return "equal (from half the ceiling to the ceiling)";
    case Jitter::decorrelated:
      return "decorrelated (from the base to three times the wait before)";
    case Jitter::proportional:
      return fmt::format("{}% either way", percent);
  }
  return "";
}

std::string growth_words(const audit::BackoffFound& found) {
  if (!found.has_factor) return "not seen: one retry";
  if (found.power == 1) return "none: the waits grow as 1, 2, 3";
  if (found.power == 2) return "none: the waits grow as 1, 4, 9";
  return fmt::format("{:.3g}", static_cast<double>(found.factor_thousandths) / 1000);
}

void add_backoff(const audit::BackoffFound& found, std::vector<PolicyFact>& facts) {
  if (!found.seen) {
    facts.push_back({"backoff", std::string(kNotSeen)});
    return;
  }
  facts.push_back({"first retry", found.first_at_once ? "at once" : "after a wait"});
  facts.push_back({"base", format_measured(found.base)});
  facts.push_back({"factor", growth_words(found)});
  facts.push_back({"cap", found.cap ? format_measured(*found.cap)
                                    : fmt::format("not reached: the longest ceiling seen is {}",
                                                  format_measured(found.longest))});
  facts.push_back(
      {"jitter", fmt::format("{}; {} ({})", jitter_words(found),
                             found.is_decided ? fmt::format("{:.1f}% sure", 100 * found.confidence)
                                              : std::string("not certain"),
                             counted(found.waits, "wait"))});
}

// "GET, retried: 429, 503; not: 500"
void add_reactions(const Findings& findings, std::vector<PolicyFact>& facts) {
  std::set<std::string> methods;
  for (const auto& one : findings.reactions) methods.insert(one.method);
  for (const std::string& method : methods) {
    std::vector<std::string> yes;
    std::vector<std::string> no;
    bool has_key = false;
    for (const auto& one : findings.reactions) {
      if (one.method != method) continue;
      has_key = has_key || one.has_key;
      if (one.retried == Answer::yes) yes.push_back(one.what);
      if (one.retried == Answer::no) no.push_back(one.what);
    }
    facts.push_back({fmt::format("{}{} retried", method, has_key ? " with key" : ""),
                     yes.empty() ? "nothing" : fmt::format("{}", fmt::join(yes, ", "))});
    facts.push_back(
        {fmt::format("{}{} not", method, has_key ? " with key" : ""),
         no.empty() ? "nothing of what was tried" : fmt::format("{}", fmt::join(no, ", "))});
  }
}

void add_waits(const audit::WaitsFound& found, std::vector<PolicyFact>& facts) {
  facts.push_back(
      {"Retry-After", fmt::format("seconds: {}, date: {}, old dates: {}, junk survived: {}",
                                  audit::word(found.seconds), audit::word(found.date),
                                  audit::word(found.old_dates), audit::word(found.survives_junk))});
  std::vector<std::string> limits;
  if (found.longest_kept) {
    limits.push_back(fmt::format("waits {} as asked", format_measured(*found.longest_kept)));
  }
  if (found.clamp) {
    limits.push_back(
        fmt::format("comes back after {} though asked for more", format_measured(*found.clamp)));
  }
  if (found.replaced) {
    limits.push_back(fmt::format("takes {} for none", format_measured(*found.replaced)));
  }
  if (found.refused) {
    limits.push_back(
        fmt::format("gives up at once when asked for {}", format_measured(*found.refused)));
  }
  if (found.sleeps_on == Answer::yes) limits.emplace_back("sleeps on when asked for a day");
  if (found.early) limits.push_back(fmt::format("up to {} early", format_measured(*found.early)));
  if (found.late) limits.push_back(fmt::format("up to {} late", format_measured(*found.late)));
  facts.push_back({"long waits", limits.empty() ? std::string(kNotSeen)
                                                : fmt::format("{}", fmt::join(limits, "; "))});
}

std::string time_words(const std::optional<Duration>& time, const audit::TimesFound& times) {
  if (time) return format_measured(*time);
  if (times.watched == Duration(0)) return std::string(kNotSeen);
  return fmt::format("none within {}", format_measured(times.watched));
}

std::string key_words(const audit::KeysFound& keys) {
  switch (keys.kind) {
    case audit::KeysFound::Kind::none:
      return "sends none";
    case audit::KeysFound::Kind::stable:
      return keys.header + ", the same on every attempt";
    case audit::KeysFound::Kind::changes:
      return keys.header + ", another one on each attempt";
    case audit::KeysFound::Kind::unknown:
      break;
  }
  return std::string(kNotSeen);
}

}  // namespace

std::vector<PolicyFact> policy_facts(const Findings& findings) {
  std::vector<PolicyFact> facts{{"attempts", attempts_words(findings)}};
  add_backoff(findings.backoff, facts);
  add_reactions(findings, facts);
  add_waits(findings.waits, facts);
  facts.push_back({"attempt timeout", time_words(findings.times.attempt_timeout, findings.times)});
  facts.push_back({"deadline", time_words(findings.times.deadline, findings.times)});
  facts.push_back({"key", key_words(findings.keys)});
  facts.push_back({"hidden resends",
                   fmt::format("safe requests: {}, POST: {}", audit::word(findings.resends.safe),
                               audit::word(findings.resends.post))});
  return facts;
}

}  // namespace retrylab::report
