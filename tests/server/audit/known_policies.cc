// SPDX-License-Identifier: MIT
#include "tests/server/audit/known_policies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"
#include "client_lib/retry/backoff.h"

namespace retrylab::audit {
namespace {

using namespace std::chrono_literals;

template <typename T, std::size_t kCount>
T pick(Random& random, const std::array<T, kCount>& values) {
  return values[random.below(kCount)];
}

constexpr std::array<Duration, 7> kBases{50ms, 100ms, 200ms, 250ms, 500ms, 1s, 2s};
constexpr std::array<std::int64_t, 4> kFactors{1000, 1500, 2000, 3000};
constexpr std::array<Duration, 7> kCaps{1s, 2s, 4s, 8s, 10s, 20s, 30s};
constexpr std::array<Jitter, 5> kJitters{Jitter::none, Jitter::full, Jitter::equal,
                                         Jitter::decorrelated, Jitter::proportional};
constexpr std::array<Duration, 5> kDeadlines{kForever, kForever, 20s, 30s, 60s};
constexpr std::array<Duration, 5> kTimeouts{kForever, 1s, 2s, 5s, 10s};
constexpr std::array<RetryAfterRule, 4> kRules{RetryAfterRule::honour_or_fail,
                                               RetryAfterRule::clamp, RetryAfterRule::ignore,
                                               RetryAfterRule::honour_or_back_off};
constexpr std::array<std::uint64_t, 3> kSpreads{100, 200, 500};
constexpr std::array<int, 7> kStatuses{408, 425, 429, 500, 502, 503, 504};

Score score(std::string_view property, bool known, bool right, std::string story) {
  return {property, !known ? Hit::unknown : right ? Hit::right : Hit::wrong, std::move(story)};
}

bool is_near(Duration one, Duration other, double share) {
  const double difference = std::abs(static_cast<double>((one - other).count()));
  return difference <= share * static_cast<double>(other.count()) + 5e6;
}

std::string text(std::optional<Duration> time) {
  return time ? format_measured(*time) : std::string("none");
}

// The retries that are waited for.
std::uint64_t waits_of(const Policy& truth) {
  const std::uint64_t retries = truth.attempts - 1;
  return retries - (truth.backoff.first_at_once ? std::min<std::uint64_t>(retries, 1) : 0);
}

// The ceiling of the last wait that the audit can have seen.
Duration last_ceiling(const Policy& truth) {
  return backoff_ceiling(truth.backoff, std::max<std::uint64_t>(waits_of(truth), 1) - 1);
}

Score score_attempts(const Policy& truth, const AttemptsFound& found) {
  const auto most = found.most.value_or(0);
  const bool timed = found.varies || found.without_end;
  return score("attempts", found.most && (!timed || most == truth.attempts),
               most == truth.attempts || truth.deadline != kForever,
               fmt::format("{}, found {}", truth.attempts, most));
}

Score score_cap(const Policy& truth, const BackoffFound& found) {
  const Backoff& backoff = truth.backoff;
  const bool is_reached = waits_of(truth) > 0 && last_ceiling(truth) == backoff.cap;
  const auto story = fmt::format("{} ({}reached), found {}", text(backoff.cap),
                                 is_reached ? "" : "not ", text(found.cap));
  if (!found.cap) return score("cap", false, false, story);
  return score("cap", true, is_near(*found.cap, backoff.cap, 0.15), story);
}

// Before that retry, as the findings have it.
Duration found_ceiling(const BackoffFound& found, std::uint64_t index) {
  const Backoff backoff{.base = found.base,
                        .factor_thousandths = found.factor_thousandths,
                        .cap = std::max(found.cap.value_or(kForever / 4), found.base)};
  return backoff_ceiling(backoff, index);
}

// The ceilings of all waits that there are: several factors may say the same.
Score score_growth(const Policy& truth, const BackoffFound& found) {
  // Decorrelated jitter has no factor of its own.
  const bool tells =
      found.has_factor && found.is_decided && truth.backoff.jitter != Jitter::decorrelated;
  bool right = true;
  for (std::uint64_t i = 0; i < waits_of(truth); ++i) {
    right = right && is_near(found_ceiling(found, i), backoff_ceiling(truth.backoff, i), 0.15);
  }
  return score("growth of the waits", tells, right,
               fmt::format("factor {}, found {}", truth.backoff.factor_thousandths,
                           found.factor_thousandths));
}

void score_backoff(const Policy& truth, const BackoffFound& found, std::vector<Score>& scores) {
  const Backoff& backoff = truth.backoff;
  const Duration first = backoff_ceiling(backoff, 0);
  scores.push_back(score("first retry", found.seen && waits_of(truth) > 0,
                         found.first_at_once == backoff.first_at_once,
                         fmt::format("{}, found {}", backoff.first_at_once, found.first_at_once)));
  scores.push_back(score("base", found.seen && found.is_decided, is_near(found.base, first, 0.1),
                         fmt::format("{}, found {}", text(first), text(found.base))));
  scores.push_back(score_growth(truth, found));
  scores.push_back(score_cap(truth, found));
  scores.push_back(score("jitter kind", found.seen && found.is_decided,
                         found.jitter == backoff.jitter && found.added == Duration(0),
                         fmt::format("{}, found {}", word(backoff.jitter), word(found.jitter))));
  const double spread =
      static_cast<double>(backoff.spread.part) / static_cast<double>(backoff.spread.whole);
  const bool has_spread = found.jitter == Jitter::proportional && backoff.jitter == found.jitter;
  scores.push_back(score("jitter spread", has_spread, std::abs(spread - found.spread) < 0.05,
                         fmt::format("{}, found {}", spread, found.spread)));
}

Score score_statuses(const Policy& truth, const Findings& found) {
  std::string story;
  bool known = true;
  for (const int status : kStatuses) {
    const Answer answer = found.reaction(std::to_string(status), "GET");
    known = known && answer != Answer::unknown;
    const bool retried = truth.attempts > 1 && truth.statuses.contains(status);
    if (retried != (answer == Answer::yes)) story += fmt::format("{} ", status);
  }
  return score("statuses", known, story.empty(), "wrong: " + story);
}

// What the wire can show of it. Some presets read other headers alone; the shortest wait that the
// audit asks for is 2 s; and a wait that is cut to more than the deadline leaves is given up.
RetryAfterRule shown_rule(const Policy& truth) {
  const ServerWaitPolicy& wait = truth.server_wait;
  const Duration limit = wait.limit.value_or(truth.backoff.cap);
  if (!wait.headers.retry_after) return RetryAfterRule::ignore;
  if (wait.rule == RetryAfterRule::honour_or_back_off && limit < 2s) return RetryAfterRule::ignore;
  if (wait.rule == RetryAfterRule::clamp && limit >= truth.deadline) {
    return RetryAfterRule::honour_or_fail;
  }
  return wait.rule;
}

Score score_rule(const Policy& truth, const WaitsFound& found) {
  std::optional<RetryAfterRule> rule;
  if (found.seconds == Answer::no) rule = RetryAfterRule::ignore;
  if (found.seconds == Answer::yes && found.clamp) rule = RetryAfterRule::clamp;
  if (found.seconds == Answer::yes && found.replaced) rule = RetryAfterRule::honour_or_back_off;
  if (found.seconds != Answer::no && !found.clamp && !found.replaced && found.refused) {
    rule = RetryAfterRule::honour_or_fail;
  }
  const RetryAfterRule shown = shown_rule(truth);
  return score("Retry-After rule", rule.has_value(), rule == shown,
               fmt::format("{}, found {}", word(shown), rule ? word(*rule) : "unknown"));
}

}  // namespace

Policy random_policy(Random& random) {
  Policy policy;
  policy.attempts = 2 + static_cast<std::uint32_t>(random.below(7));
  policy.backoff.base = pick(random, kBases);
  policy.backoff.factor_thousandths = pick(random, kFactors);
  policy.backoff.cap = std::max(pick(random, kCaps), policy.backoff.base);
  policy.backoff.jitter = pick(random, kJitters);
  policy.backoff.spread = {pick(random, kSpreads), 1000};
  policy.deadline = pick(random, kDeadlines);
  policy.attempt_timeout = pick(random, kTimeouts);
  policy.server_wait.rule = pick(random, kRules);
  policy.statuses = {503};
  for (const int status : kStatuses) {
    if (random.below(2) == 0) policy.statuses.insert(status);
  }
  policy.backoff.first_at_once = policy.attempts > 2 && random.below(4) == 0;
  return policy;
}

std::vector<Score> compare(const Policy& truth, const Findings& found) {
  std::vector<Score> scores{score_attempts(truth, found.attempts)};
  score_backoff(truth, found.backoff, scores);
  scores.push_back(score_statuses(truth, found));
  scores.push_back(score_rule(truth, found.waits));
  const auto& times = found.times;
  const bool has_timeout = times.attempt_timeout.has_value();
  // Where nothing ends an attempt but the deadline, that is what is seen.
  const Duration patience = std::min(truth.attempt_timeout, truth.deadline);
  scores.push_back(
      score("attempt timeout", has_timeout,
            has_timeout && is_near(*times.attempt_timeout, patience, 0.03),
            fmt::format("{}, found {}", text(truth.attempt_timeout), text(times.attempt_timeout))));
  scores.push_back(score("deadline", times.deadline.has_value(),
                         times.deadline && is_near(*times.deadline, truth.deadline, 0.03),
                         fmt::format("{}, found {}", text(truth.deadline), text(times.deadline))));
  return scores;
}

}  // namespace retrylab::audit
