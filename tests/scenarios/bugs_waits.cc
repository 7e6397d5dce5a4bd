// SPDX-License-Identifier: MIT
// Waits that servers ask for, and how clients misread them.
#include <algorithm>

#include "tests/scenarios/bugs.h"
#include "tests/zoo/server_wish.h"

namespace retrylab::bugs {
namespace {

using namespace std::chrono_literals;
using zoo::Habits;
using zoo::kHangs;
using zoo::Progress;

std::string value(const Progress& progress) {
  return answer_header(progress, "Retry-After");
}

bool is_date(const std::string& text) {
  return text.find(':') != std::string::npos;
}

// Sleeps at once, or nearly, whatever its backoff says.
void retries_at_once(Habits& habits) {
  habits.wait = [](Asked, Duration) { return Duration{0}; };
  habits.may_sleep = [](const Progress&, Duration) { return true; };
}

void gives_up(Habits& habits) {
  habits.retries = [](const Progress&) { return false; };
}

void hangs(Habits& habits) {
  habits.asked = [](const Progress&) { return Asked(kHangs); };
}

void ignores_the_wait(Habits& habits) {
  habits.asked = [](const Progress&) { return Asked(); };
}

void never_stops(Habits& habits) {
  habits.has_attempts_left = [](const Progress& p) { return p.sent < 12; };
}

// X-RateLimit-Reset by the clock of the server, and a second more since it is in whole ones.
void reads_the_reset_time(Habits& habits) {
  habits.retries = [](const Progress& p) { return p.status() == 403 || p.status() == 429; };
  habits.asked = [](const Progress& p) -> Asked {
    const std::string reset = answer_header(p, "X-RateLimit-Reset");
    if (reset.empty()) return std::nullopt;
    const auto date = zoo::read_date(answer_header(p, "Date"), p.wall);
    const WallTime server = date.value_or(p.wall);
    return WallTime(std::chrono::seconds(std::stoll(reset))) - server + 1s;
  };
}

}  // namespace

std::vector<Bug> bugs_of_waits() {
  const auto zero_for = [](std::function<bool(const std::string&)> kind) -> Change {
    return [kind](Habits& habits) {
      habits.wait = [](Asked asked, Duration backoff) { return asked.value_or(backoff); };
      habits.asked = [kind, right = habits.asked](const Progress& p) {
        return kind(value(p)) ? Asked(Duration{0}) : right(p);
      };
    };
  };
  const auto is_no_number = [](const std::string& text) {
    return text.empty() || text.find_first_not_of("0123456789") != std::string::npos;
  };
  return {
      {"date-read-as-zero", zero_for(is_date)},
      {"word-read-as-zero", zero_for(is_no_number)},
      {"a-day-is-slept",
       [](Habits& h) {
         h.may_sleep = [](const Progress&, Duration) { return true; };
         h.may_send = [](const Progress&, Instant) { return true; };
         h.attempt_timeout = [](const Progress&) { return Duration{10s}; };
       }},
      {"fraction-read-as-a-year",
       asks([](const Progress& p, Asked right) { return value(p).empty() ? right : Asked(20s); })},
      {"digits-without-end", retries_at_once},
      {"go-duration-aborts", gives_up},
      {"wait-overflows-the-sleep", retries_at_once},
      {"wait-overflows-the-timer", retries_at_once},
      {"wait-just-overflows-the-timer", retries_at_once},
      {"a-month-becomes-a-storm",
       [](Habits& h) {
         retries_at_once(h);
         never_stops(h);
       }},
      {"epoch-is-slept", hangs},
      {"epoch-cut-to-the-cap", waits([](Duration asked) { return std::min<Duration>(asked, 5s); })},
      {"more-than-a-minute-ignored",
       asks([](const Progress&, Asked right) { return right && *right > 60s ? Asked() : right; })},
      {"days-hang-the-process", hangs},
      {"date-of-a-second-ago-hangs", hangs},
      {"garbage-never-spends-the-budget", never_stops},
      {"past-date-gives-up", gives_up},
      {"seconds-read-as-milliseconds", waits([](Duration asked) { return asked / 1000; })},
      {"poll-date-ignored", ignores_the_wait,
       [](Habits& h) {
         h.accepts = [](const Progress& p) { return p.status() == 200; };
         h.retries = [](const Progress& p) { return p.status() == 202; };
       }},
      {"negative-wait-raises", gives_up},
      {"date-rounded-down",
       waits([](Duration asked) { return std::max<Duration>(asked - 1s, 0s); }),
       [](Habits& h) { h.backoff = [](const Progress&, Random&) { return Duration{100ms}; }; }},
      {"zero-without-a-floor",
       [](Habits& h) {
         retries_at_once(h);
         never_stops(h);
       }},
      {"wait-ignored-when-there-is-a-body", ignores_the_wait},
      {"wait-on-a-redirect-ignored", ignores_the_wait},
      {"wait-longer-than-the-time-left",
       [](Habits& h) {
         h.may_sleep = [](const Progress&, Duration) { return true; };
         h.may_send = [](const Progress&, Instant) { return true; };
         h.attempt_timeout = [](const Progress&) { return Duration{10s}; };
       }},
      {"waits-in-vain-until-the-deadline",
       [](Habits& h) {
         h.wait = [](Asked asked, Duration backoff) {
           return std::min<Duration>(std::max(asked.value_or(0s), backoff), 30s);
         };
         h.may_sleep = [](const Progress&, Duration) { return true; };
       }},
      {"reset-time-with-a-wrong-clock", waits([](Duration asked) { return asked - 1s; }),
       reads_the_reset_time},
      {"reset-epoch-slept-as-a-delay", hangs, reads_the_reset_time},
      {"ratelimit-reset-not-read", ignores_the_wait,
       [](Habits& h) {
         h.asked = [](const Progress& p) -> Asked {
           return p.status() == 429 ? Asked(2s) : Asked();
         };
       }},
  };
}

}  // namespace retrylab::bugs
