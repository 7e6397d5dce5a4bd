// SPDX-License-Identifier: MIT
#include "tests/zoo/right_kinds.h"

#include <algorithm>

namespace retrylab::zoo {
namespace {

using namespace std::chrono_literals;
using scenario::Jitter;

// Retry-After alone where there is one, else the own backoff.
void takes_the_server_at_its_word(Habits& habits) {
  habits.wait = [](std::optional<Duration> asked, Duration backoff) {
    return asked && *asked > 0s ? *asked : backoff;
  };
}

// Spreads the return after a common Retry-After.
void adds_backoff_to_retry_after(Habits& habits) {
  habits.wait = [](std::optional<Duration> asked, Duration backoff) {
    return saturating_add(Instant(asked.value_or(0s)), std::min<Duration>(backoff, 250ms))
        .time_since_epoch();
  };
}

// A wait that the server asked for does not count for the growth of its own.
void counts_its_own_waits(Habits& habits) {
  habits.backoff = [right = habits.backoff](const Progress& p, Random& random) {
    Progress own = p;
    own.sent -= p.asked;
    return right(own, random);
  };
}

void gives_up_beyond_its_cap(Habits& habits) {
  habits.may_sleep = [right = habits.may_sleep](const Progress& p, Duration wait) {
    return wait <= p.policy.cap && right(p, wait);
  };
}

void connects_anew_each_time(Habits& habits) {
  habits.request = [right = habits.request](const Progress& p) {
    sim::Send request = right(p);
    request.fresh_connection = true;
    return request;
  };
}

void repeats_500_too(Habits& habits) {
  habits.retries = [right = habits.retries](const Progress& p) {
    return p.status() == 500 || right(p);
  };
}

// Its timers wake up late, never early.
void wakes_late(Habits& habits) {
  habits.wait = [right = habits.wait](std::optional<Duration> asked, Duration backoff) {
    return saturating_add(Instant(right(asked, backoff)), 3ms).time_since_epoch();
  };
}

}  // namespace

std::vector<RightKind> right_kinds() {
  return {
      {.name = "full"},
      {.name = "equal", .jitter = Jitter::equal},
      {.name = "decorrelated", .jitter = Jitter::decorrelated},
      {.name = "at-its-word", .choose = takes_the_server_at_its_word},
      {.name = "retry-after-and-jitter", .choose = adds_backoff_to_retry_after},
      {.name = "counts-its-own-waits", .choose = counts_its_own_waits},
      {.name = "counts-its-own-waits-equal",
       .jitter = Jitter::equal,
       .choose = counts_its_own_waits},
      {.name = "gives-up-beyond-its-cap", .choose = gives_up_beyond_its_cap},
      {.name = "fresh-connections", .choose = connects_anew_each_time},
      {.name = "repeats-500", .choose = repeats_500_too},
      {.name = "wakes-late", .jitter = Jitter::equal, .choose = wakes_late},
      {.name = "patient", .choose = [](Habits& h) { h.policy.attempt_timeout = 25s; }},
      {.name = "hurried",
       .choose = [](Habits& h) { h.policy.attempt_timeout = 1s; },
       .only = "in-flight-duplicate"},
  };
}

}  // namespace retrylab::zoo
