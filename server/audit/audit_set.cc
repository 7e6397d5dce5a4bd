// SPDX-License-Identifier: MIT
#include "server/audit/audit_set.h"

namespace retrylab::audit {
namespace {

constexpr SetEntry kSet[] = {
    // What the policy card is made from.
    {"audit-stall", 1, 2},
    {"audit-unavailable", 12, 24},
    {"audit-wait-1d", 1, 1},
    {"audit-wait-61s", 0, 1},
    {"audit-wait-20s", 0, 1},
    {"audit-post-stall", 0, 1},
    {"audit-wait-2s", 1, 2},
    {"audit-status-408", 1, 1},
    {"audit-status-409", 1, 1},
    {"audit-status-425", 1, 1},
    {"audit-status-429", 1, 1},
    {"audit-status-500", 1, 1},
    {"audit-status-502", 1, 1},
    {"audit-status-503", 1, 1},
    {"audit-status-504", 1, 1},
    {"audit-post-status-429", 1, 1},
    {"audit-post-status-500", 1, 1},
    {"audit-post-status-502", 1, 1},
    {"audit-post-status-503", 1, 1},
    {"audit-post-status-504", 1, 1},
    {"audit-reset", 1, 1},
    {"audit-close", 1, 1},
    {"audit-cut", 1, 1},
    {"audit-refused", 3, 6},
    {"audit-post-reset", 1, 1},
    {"audit-stale", 1, 1},
    {"audit-post-stale", 1, 1},
    // The catalogue.
    {"retry-after-huge", 1, 1},
    {"retry-after-overflow", 1, 1},
    {"retry-after-epoch", 1, 1},
    {"answer-never-comes", 0, 1},
    {"slow-answer-15s", 0, 1},
    {"outage-5s", 1, 1},
    {"retry-after-date-old-forms", 1, 1},
    {"retry-after-date", 1, 1},
    {"retry-after-seconds", 1, 1},
    {"rate-limited-twice", 1, 1},
    {"in-flight-duplicate", 1, 1},
    {"retry-after-1m0s", 1, 1},
    {"retry-after-fractional", 1, 1},
    {"retry-after-garbage", 1, 1},
    {"retry-after-negative", 1, 1},
    {"retry-after-past", 1, 1},
    {"retry-after-two-lines", 1, 1},
    {"retry-after-zero", 1, 10},
    {"answer-cut-in-its-head", 1, 1},
    {"answer-lost-close", 1, 1},
    {"answer-lost-reset", 1, 1},
    {"answer-truncated", 1, 1},
    {"lost-twice", 1, 1},
    {"gateway-timeout-after-commit", 1, 1},
    {"payment-survives-two-503s", 2, 6},
    {"two-503-then-success", 1, 1},
    {"connection-closed-with-503", 1, 1},
    {"connection-reset-at-accept", 1, 1},
    {"bad-request-never-retried", 1, 1},
    {"forbidden-never-retried", 1, 1},
    {"not-found-never-retried", 1, 1},
    {"unauthorized-never-retried", 1, 1},
    {"unprocessable-never-retried", 1, 1},
    // Reported bugs.
    {"trickled-body-defeats-the-timeout", 0, 1},
    {"trickled-head-defeats-the-timeout", 0, 1},
    {"partial-answer-joined-to-the-retry", 0, 1},
    {"timed-out-post-sent-again", 0, 1},
    {"gives-up-on-its-own-request-in-progress", 0, 1},
    {"a-month-becomes-a-storm", 0, 1},
    {"days-hang-the-process", 0, 1},
    {"digits-without-end", 0, 1},
    {"wait-just-overflows-the-timer", 0, 1},
    {"wait-overflows-the-sleep", 0, 1},
    {"wait-overflows-the-timer", 0, 1},
    {"date-read-as-zero", 0, 1},
    {"date-rounded-down", 0, 1},
    {"date-of-a-second-ago-hangs", 0, 1},
    {"seconds-read-as-milliseconds", 0, 1},
    {"wait-ignored-when-there-is-a-body", 0, 1},
    {"wait-on-a-redirect-ignored", 0, 1},
    {"429-after-a-redirect-starts-over", 0, 1},
    {"redirect-loses-the-body", 0, 1},
    {"body-sent-after-the-method-changed", 0, 1},
    {"body-empty-on-the-retry", 0, 1},
    {"key-made-inside-the-loop", 0, 1},
    {"post-repeated-after-504", 0, 1},
    {"resends-a-post-after-a-reset", 0, 1},
    {"early-413-lost-in-a-reset", 0, 1},
    {"early-answer-leaves-the-body-unread", 0, 1},
    {"reset-in-the-body-not-retried", 0, 1},
    {"incomplete-download-not-retried", 0, 1},
    {"cut-gzip-taken-for-whole", 0, 1},
    {"corrupt-gzip-taken-for-whole", 0, 1},
    {"gzip-in-tiny-segments", 0, 1},
};

constexpr std::string_view kPolicy = "expects the numbers of one policy";
constexpr std::string_view kSeveral = "needs a client that makes several operations";
constexpr std::string_view kHint = "is about a hint that a client need not know";
constexpr std::string_view kSame = "shows what another scenario of the set shows";

constexpr LeftOut kLeftOut[] = {
    {"unavailable-for-ever", "audit-unavailable shows it without a limit to attempts"},
    {"charge-once-though-the-answer-is-lost", kPolicy},
    {"endless-408", kPolicy},
    {"one-attempt-too-many", kPolicy},
    {"garbage-never-spends-the-budget", kPolicy},
    {"zero-without-a-floor", kPolicy},
    {"fraction-read-as-a-year", kPolicy},
    {"word-read-as-zero", kPolicy},
    {"sleeps-past-the-deadline", kPolicy},
    {"wait-longer-than-the-time-left", kPolicy},
    {"waits-in-vain-until-the-deadline", kPolicy},
    {"abort-does-not-end-the-wait", kPolicy},
    {"range-headers-pile-up", kPolicy},
    {"backoff-overflows", "takes minutes"},
    {"more-than-a-minute-ignored", "takes minutes"},
    {"half-open-floodgate", kSeveral},
    {"idle-connection-closed-unread", kSeveral},
    {"no-retry-budget", kSeveral},
    {"parallel-transfers-ignore-the-wait", kSeveral},
    {"stale-connection-never-retried", kSeveral},
    {"uploads-retry-in-lockstep", kSeveral},
    {"hint-in-the-body-thrown-away", kHint},
    {"ratelimit-reset-not-read", kHint},
    {"reset-epoch-slept-as-a-delay", kHint},
    {"reset-time-with-a-wrong-clock", kHint},
    {"poll-date-ignored", "needs a client that polls"},
    {"503-retried-only-when-told", kSame},
    {"a-day-is-slept", kSame},
    {"epoch-is-slept", kSame},
    {"epoch-cut-to-the-cap", kSame},
    {"go-duration-aborts", kSame},
    {"negative-wait-raises", kSame},
    {"past-date-gives-up", kSame},
};

}  // namespace

std::span<const SetEntry> audit_set() {
  return kSet;
}

std::span<const LeftOut> left_out() {
  return kLeftOut;
}

}  // namespace retrylab::audit
