// SPDX-License-Identifier: MIT
#include "server/audit/infer/waits.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "server/verify/timing.h"

namespace retrylab::audit {
namespace {

using namespace std::chrono_literals;
using verify::Evidence;
using verify::Gap;

constexpr std::array kSeconds{"audit-wait-2s",  "retry-after-seconds", "audit-wait-20s",
                              "audit-wait-61s", "audit-wait-1d",       "retry-after-huge"};
constexpr std::array kDates{"retry-after-date"};
constexpr std::array kOldDates{"retry-after-date-old-forms"};
constexpr std::array kJunk{"retry-after-1m0s", "retry-after-fractional", "retry-after-garbage",
                           "retry-after-negative", "retry-after-two-lines"};
// A client that gives up does so at once, not after a wait.
constexpr Duration kPrompt = 5s;
constexpr Duration kVeryLong = 1h;
// Many clients heed no more than a minute. Who came early to a longer wait than this may well heed
// shorter ones.
constexpr Duration kShort = 30s;

void raise(std::optional<Duration>& most, Duration value) {
  most = std::max(most.value_or(value), value);
}

void lower(std::optional<Duration>& least, Duration value) {
  least = std::min(least.value_or(value), value);
}

// The longest that the client waits before its first retry when nobody asks.
Duration own_wait(const BackoffFound& backoff) {
  if (!backoff.seen || backoff.first_at_once) return Duration(0);
  switch (backoff.jitter) {
    case Jitter::none:
      return backoff.base + backoff.added;
    case Jitter::full:
    case Jitter::equal:
      break;
    case Jitter::decorrelated:
      return 3 * backoff.base;
    case Jitter::proportional:
      return backoff.base + std::chrono::duration_cast<Duration>(backoff.spread * backoff.base);
  }
  return backoff.base;
}

class Waits {
 public:
  explicit Waits(const Findings& known)
      : own_(own_wait(known.backoff) + own_wait(known.backoff) / 10 + kOwnNoise),
        retried_(known.reactions),
        most_(known.attempts.most) {}

  void note(const Evidence& evidence) {
    for (const Gap& gap : evidence.gaps) {
      if (gap.before->asked.valid() && !gap.is_resend) note_gap(gap);
    }
    for (const verify::RunEvidence& run : evidence.runs) note_end(run);
  }

  // Whether waits of that form were kept; unknown where the client gave up, was not asked, or would
  // have waited as long by itself.
  Answer kept() const {
    if (found_.longest_kept && *found_.longest_kept > own_) return Answer::yes;
    if (!found_.early) return Answer::unknown;
    if (cut_all_) return Answer::yes;
    return was_early_to_short_ ? Answer::no : Answer::unknown;
  }

  // A clamp keeps what is shorter. Who sat through more, and cut this one, fell back to waits of
  // his own.
  WaitsFound found() const {
    WaitsFound found = found_;
    const bool sat_through = found.longest_kept && *found.longest_kept > own_;
    const bool is_clamp =
        cut_all_ && (!sat_through || *found.clamp >= *found.longest_kept - verify::kEarlyAdvice);
    if (!is_clamp) found.clamp.reset();
    if (is_clamp || kept() == Answer::no) found.replaced.reset();
    return found;
  }

 private:
  static constexpr Duration kOwnNoise = 30ms;

  // What came of one wait that was asked for. Later ones are no shorter than the client's own,
  // which grow.
  void note_gap(const Gap& gap) {
    const Duration asked = gap.before->asked.wait;
    if (!gap.wait_at_most || asked <= 0s || gap.retry > 1) return;
    if (*gap.wait_at_most >= asked - verify::kEarlyAdvice) {
      raise(found_.longest_kept, asked);
      if (gap.wait_at_least && asked > own_) {
        raise(found_.late, std::max(*gap.wait_at_least - asked, Duration(0)));
      }
      return;
    }
    raise(found_.early, asked - *gap.wait_at_most);
    // Longer than it waits by itself: it heard, and cut the wait.
    raise(found_.clamp, *gap.wait_at_most);
    lower(found_.replaced, asked);
    was_early_to_short_ = was_early_to_short_ || asked <= kShort;
    cut_all_ = cut_all_ && *gap.wait_at_most > own_;
  }

  // The operation ended, or did not, with a wait before it.
  void note_end(const verify::RunEvidence& run) {
    if (run.operations.empty()) return;
    const verify::AttemptEvidence& last = run.operations.back().last();
    if (!last.asked.valid() || last.asked.wait <= 0s || !last.seen.until) return;
    if (is_final_anyway(last) || is_last_attempt(run)) return;
    if (was_stopped(run)) {
      if (last.asked.wait >= kVeryLong) found_.sleeps_on = Answer::yes;
      return;
    }
    if (last.asked.wait >= kVeryLong) found_.sleeps_on = Answer::no;
    const auto& client = run.record->clients;
    if (client.empty() || !client.front().ended) return;
    if (*client.front().ended - *last.seen.until < kPrompt) lower(found_.refused, last.asked.wait);
  }

  // It gave up for its own limit, or does not care for waits: it came early before.
  bool is_last_attempt(const verify::RunEvidence& run) const {
    const auto& operation = run.operations.back();
    std::size_t tries = 0;
    for (const verify::Chain& chain : operation.chains) tries += chain.tries();
    return (most_ && tries >= *most_) ||
           std::ranges::any_of(operation.chains, [](const verify::Chain& chain) {
             return std::ranges::any_of(chain.gaps, [](const Gap& gap) {
               return gap.before->asked.valid() && gap.wait_at_most &&
                      *gap.wait_at_most < gap.before->asked.wait - verify::kEarlyAdvice;
             });
           });
  }

  bool is_final_anyway(const verify::AttemptEvidence& last) const {
    const std::string what = std::to_string(last.seen.status);
    return std::ranges::any_of(retried_, [&](const Reaction& one) {
      return one.what == what && one.method == last.record->method && one.retried == Answer::no;
    });
  }

  Duration own_;
  const std::vector<Reaction>& retried_;
  std::optional<std::uint32_t> most_;
  bool cut_all_ = true;  // every early wait was longer than its own
  bool was_early_to_short_ = false;
  WaitsFound found_;
};

// It tries again though the value means nothing.
Answer survives_junk(const Observed& observed) {
  Answer answer = Answer::unknown;
  for (const char* name : kJunk) {
    const auto* evidence = observed.of(name);
    if (evidence == nullptr) continue;
    const bool again = std::ranges::any_of(
        evidence->chains, [](const verify::Chain& chain) { return chain.tries() > 1; });
    if (!again) return Answer::no;
    answer = Answer::yes;
  }
  return answer;
}

}  // namespace

WaitsFound infer_waits(const Observed& observed, const Findings& known) {
  const auto waits_of = [&](std::span<const char* const> scenarios) {
    Waits waits(known);
    for (const char* name : scenarios) {
      if (const auto* evidence = observed.of(name)) waits.note(*evidence);
    }
    return waits;
  };
  const Waits seconds = waits_of(kSeconds);
  WaitsFound found = seconds.found();
  found.seconds = seconds.kept();
  found.date = waits_of(kDates).kept();
  found.old_dates = waits_of(kOldDates).kept();
  found.survives_junk = survives_junk(observed);
  return found;
}

}  // namespace retrylab::audit
