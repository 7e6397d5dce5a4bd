// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// The reset time of a RateLimit or RateLimit-Reset field, in seconds from now.
std::optional<Duration> reset_of(const AttemptEvidence& attempt) {
  for (const Header& hint : attempt.record->planned.hints) {
    std::string_view value = hint.value;
    if (same_name(hint.name, "ratelimit")) {
      const auto at = value.find("t=");
      if (at == std::string_view::npos) continue;
      value.remove_prefix(at + 2);
    } else if (!same_name(hint.name, "ratelimit-reset")) {
      continue;
    }
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
    if (error == std::errc() && seconds >= 0) return std::chrono::seconds(seconds);
  }
  return std::nullopt;
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  for (const Gap& gap : evidence.gaps_if(evidence.occurring.asked)) {
    if (!asks_to_wait(*gap.before) || !gap.wait_at_least) continue;
    const auto reset = reset_of(*gap.before);
    if (!reset || *reset <= gap.before->asked.wait) continue;
    const auto tell = [&] {
      return Finding{fmt::format("a wait below {}", time_text(*reset)), came_after(evidence, gap),
                     "Retry-After comes before the reset time of RateLimit."};
    };
    const bool is_own_backoff = ceiling(evidence.settings, gap.retry).value_or(*reset) > *reset;
    const Lateness how_late = lateness(gap, *reset - 2 * kLateTolerance);
    if (late(how_late) == Late::no || is_own_backoff) {
      tally.kept(*gap.before);
    } else if (late(how_late) == Late::explained) {
      tally.spoiled(*gap.before, *gap.after, tell);
    } else {
      tally.broke(*gap.before, *gap.after, std::nullopt, tell);
    }
  }
  return tally.result({.expected = "Retry-After before RateLimit",
                       .none = "no answer had both Retry-After and a later RateLimit reset"});
}

}  // namespace

constinit const Rule kRa11{.id = "RA-11",
                           .statement = "Retry-After comes before the reset time of RateLimit",
                           .source = "draft-ietf-httpapi-ratelimit-headers",
                           .parameters = "backoff",
                           .decision =
                               "With Retry-After shorter than the reset time: advice when the "
                               "client waited for the reset.",
                           .severity = Severity::advice,
                           .judge = judge};

}  // namespace retrylab::verify::rules
