// SPDX-License-Identifier: MIT
// Clients that misread or disregard Retry-After.
#include <algorithm>

#include "tests/zoo/server_wish.h"
#include "tests/zoo/wrong_client.h"

namespace retrylab::zoo {
namespace {

using namespace std::chrono_literals;
using Asked = std::optional<Duration>;
using Read = std::function<Asked(const Progress&)>;

// Replaces what the client understands of the server's wish; `right` is what a right one does.
auto hears(std::function<Asked(const Progress&, const Read& right)> wrong) {
  return [wrong](Habits& habits) {
    habits.asked = [wrong, right = habits.asked](const Progress& progress) {
      return wrong(progress, right);
    };
  };
}

// Replaces how many seconds it waits, where it understood the wish.
auto turns_into(std::function<Duration(const Progress&, Duration)> wrong) {
  return hears([wrong](const Progress& progress, const Read& right) -> Asked {
    const Asked asked = right(progress);
    return asked ? Asked(wrong(progress, *asked)) : asked;
  });
}

std::string value(const Progress& progress) {
  return std::string(retry_after_value(progress.outcome.response.headers).value_or(""));
}

// Replaces the reading of one kind of value.
auto reads(std::function<bool(const std::string&)> kind, Asked as) {
  return hears([kind, as](const Progress& progress, const Read& right) {
    return kind(value(progress)) ? as : right(progress);
  });
}

// Gives up on one kind of value.
auto gives_up_on(std::function<bool(const std::string&)> kind) {
  return [kind](Habits& habits) {
    habits.retries = [kind, right = habits.retries](const Progress& progress) {
      return !kind(value(progress)) && right(progress);
    };
  };
}

bool is_date(const std::string& value) {
  return value.find(':') != std::string::npos;
}
bool is_rfc850(const std::string& value) {
  return is_date(value) && value.find('-') < 20;
}
bool is_asctime(const std::string& value) {
  return is_date(value) && !value.ends_with("GMT");
}

std::string once(const std::string& wish, int status = 503) {
  return "[{\"status\": " + std::to_string(status) + ", " + wish + "}, 200]";
}
std::string seconds(const std::string& time) {
  return R"("retry_after": ")" + time + '"';
}
std::string date(const std::string& offset, const std::string& format = "imf") {
  return R"("retry_after": {"date": ")" + offset + R"(", "format": ")" + format + R"("})";
}
std::string raw(const std::string& text) {
  return R"("headers": {"Retry-After": ")" + text + R"("})";
}

constexpr const char* kPatient = R"("total_time": {"max": "10m"},)";
constexpr const char* kSteady =
    R"("backoff": {"base": "1s", "factor": 2, "cap": "8s", "jitter": "equal"},)";

}  // namespace

std::vector<WrongClient> wrong_retry_after() {
  const Duration kHour = 1h;
  return {
      {.name = "ignores-retry-after",
       .mistake = "follows its own backoff whatever the server asks",
       .rule = "RA-1",
       .stage = {.script = once(seconds("5s"))},
       .change = hears([](const Progress&, const Read&) { return Asked(); })},
      {.name = "reads-seconds-as-milliseconds",
       .mistake = "waits 5 ms where 5 s were asked",
       .rule = "RA-1",
       .stage = {.script = once(seconds("5s"))},
       .change = turns_into([](const Progress&, Duration asked) { return asked / 1000; })},
      {.name = "waits-at-most-its-own-cap",
       .mistake = "min(cap, Retry-After): comes back earlier than asked",
       .rule = "RA-1",
       .stage = {.script = once(seconds("20s"))},
       .change = turns_into(
           [](const Progress& p, Duration asked) { return std::min(asked, p.policy.cap); })},
      {.name = "disbelieves-more-than-a-minute",
       .mistake = "replaces a Retry-After above 60 s by its own backoff",
       .rule = "RA-1",
       .stage = {.script = once(seconds("61s")), .expect = kPatient},
       .change = hears([](const Progress& p, const Read& right) {
         const Asked asked = right(p);
         return asked && *asked > 60s ? Asked() : asked;
       })},
      {.name = "comes-a-tenth-too-early",
       .mistake = "waits nine tenths of what was asked",
       .rule = "RA-1",
       .stage = {.script = once(seconds("5s"))},
       .change = turns_into([](const Progress&, Duration asked) { return asked / 10 * 9; })},
      {.name = "counts-from-its-request",
       .mistake = "counts Retry-After from when it sent, not from when it was answered",
       .rule = "RA-1",
       .stage = {.script = once(seconds("5s") + R"(, "delay": "2s")")},
       .change = turns_into([](const Progress& p, Duration asked) {
         return std::max<Duration>(0s, asked - (p.now - p.sent_at));
       })},
      {.name = "heeds-retry-after-once",
       .mistake = "obeys on the first retry, later ones follow its backoff",
       .rule = "RA-1",
       .stage = {.script = R"([{"status": 503, "retry_after": "4s", "times": 2}, 200])"},
       .change = hears(
           [](const Progress& p, const Read& right) { return p.sent == 1 ? right(p) : Asked(); })},
      {.name = "heeds-retry-after-on-429-only",
       .mistake = "does not look for Retry-After in a 503",
       .rule = "RA-1",
       .stage = {.script = once(seconds("5s"), 503)},
       .change = hears([](const Progress& p, const Read& right) {
         return p.status() == 429 ? right(p) : Asked();
       })},
      {.name = "heeds-retry-after-on-503-only",
       .mistake = "does not look for Retry-After in a 429",
       .rule = "RA-1",
       .stage = {.script = once(seconds("5s"), 429)},
       .change = hears([](const Progress& p, const Read& right) {
         return p.status() == 503 ? right(p) : Asked();
       })},
      {.name = "takes-the-shorter-wait",
       .mistake = "min(backoff, Retry-After)",
       .rule = "RA-1",
       .stage = {.script = once(seconds("5s"))},
       .change =
           [](Habits& h) {
             h.wait = [](Asked asked, Duration backoff) {
               return std::min(asked.value_or(backoff), backoff);
             };
           }},
      {.name = "spreads-around-retry-after",
       .mistake = "adds jitter on both sides of what was asked",
       .rule = "RA-1",
       .stage = {.script = once(seconds("5s"))},
       .change =
           [](Habits& h) {
             h.backoff = [](const Progress& p, Random& random) {
               const Duration asked = asked_wait(p.outcome.response.headers, p.wall).value_or(0s);
               return random.between(asked * 8 / 10, asked * 12 / 10);
             };
             h.wait = [](Asked, Duration backoff) { return backoff; };
           },
       .visit = {.runs = 20}},
      {.name = "ignores-dates",
       .mistake = "reads Retry-After only where it is a number",
       .rule = "RA-3",
       .stage = {.script = once(date("+5s"))},
       .change = reads(is_date, Asked())},
      {.name = "reads-dates-in-local-time",
       .mistake = "is off by the time zone: the date has always passed",
       .rule = "RA-3",
       .stage = {.script = once(date("+5s"))},
       .change = turns_into([kHour](const Progress&, Duration asked) {
         return std::max<Duration>(0s, asked - kHour);
       })},
      {.name = "cuts-a-date-to-whole-seconds",
       .mistake = "rounds the wait until a date down and comes before it",
       .rule = "RA-3",
       .stage = {.script = once(date("+5s") + R"(, "delay": "300ms")")},
       .change = turns_into([](const Progress&, Duration asked) {
         return std::chrono::floor<std::chrono::seconds>(asked);
       })},
      {.name = "knows-no-rfc850-date",
       .mistake = "reads only the first of the three date forms",
       .rule = "RA-4",
       .stage = {.script = once(date("+20s", "rfc850"))},
       .change = reads(is_rfc850, Asked())},
      {.name = "knows-no-asctime-date",
       .mistake = "needs a date to end in GMT",
       .rule = "RA-4",
       .stage = {.script = once(date("+20s", "asctime"))},
       .change = reads(is_asctime, Asked())},
      {.name = "hangs-on-a-past-date",
       .mistake = "a negative wait becomes one without end",
       .rule = "RA-6",
       .stage = {.script = once(date("-30s"))},
       .change = turns_into(
           [](const Progress&, Duration asked) { return asked == 0s ? kHangs : asked; })},
      {.name = "gives-up-on-a-past-date",
       .mistake = "takes a date that has passed for an error",
       .rule = "RA-6",
       .stage = {.script = once(date("-30s"))},
       .change = gives_up_on(is_date)},
      {.name = "reads-77-as-2077",
       .mistake = "adds 2000 to any two-digit year, and gives up a wait of half a century",
       .rule = "RA-5",
       .stage = {.script = once(raw("Sunday, 06-Nov-77 08:49:37 GMT"))},
       .change = reads(is_date, Asked(24h * 365 * 51))},
      {.name = "aborts-on-soon",
       .mistake = "an unreadable Retry-After ends the operation",
       .rule = "RA-7",
       .stage = {.script = once(raw("soon"))},
       .change = gives_up_on([](const std::string& v) { return v == "soon"; })},
      {.name = "aborts-on-a-fraction",
       .mistake = "1.5 is no integer: the operation ends with its parser's exception",
       .rule = "RA-7",
       .stage = {.script = once(raw("1.5"))},
       .change = gives_up_on([](const std::string& v) { return v == "1.5"; })},
      {.name = "hangs-on-a-negative-number",
       .mistake = "reads -5 as an unsigned number",
       .rule = "RA-7",
       .stage = {.script = once(raw("-5"))},
       .change = reads([](const std::string& v) { return v == "-5"; }, kHangs)},
      {.name = "takes-rubbish-for-zero",
       .mistake = "an unreadable Retry-After is a zero: retries at once",
       .rule = "RA-7",
       .stage = {.script = once(raw("1m0s")), .expect = kSteady},
       .change =
           [](Habits& h) {
             h.backoff = [right = h.backoff](const Progress& p, Random& random) {
               const Duration backoff = right(p, random);
               return value(p) == "1m0s" ? Duration{0} : backoff;
             };
           },
       .jitter = scenario::Jitter::equal},
      {.name = "overflows-on-a-huge-one",
       .mistake = "2200000 s are more milliseconds than its timer holds: retries at once",
       .rule = "RA-8",
       .stage = {.script = once(seconds("2200000s"))},
       .change = turns_into([](const Progress&, Duration asked) {
         return asked / 1ms > 0x7fffffff ? Duration{1ms} : asked;
       })},
      {.name = "sits-through-a-day",
       .mistake = "sleeps for whatever the server asks, beyond any deadline",
       .rule = "RA-8",
       .stage = {.script = once(seconds("86400s"))},
       .change =
           turns_into([](const Progress&, Duration asked) { return asked > 1h ? kHangs : asked; })},
      {.name = "comes-late",
       .mistake = "doubles the wait that was asked",
       .rule = "RA-2",
       .stage = {.script = once(seconds("3s"))},
       .change = turns_into([](const Progress&, Duration asked) { return asked * 2; }),
       .is_advice = true},
      {.name = "takes-zero-for-now",
       .mistake = "retries at once, with all the others, after Retry-After: 0",
       .rule = "RA-9",
       .stage = {.script = once(seconds("0s"))},
       .change =
           [](Habits& h) {
             h.wait = [](Asked asked, Duration backoff) { return asked.value_or(backoff); };
           },
       .visit = {.runs = 20},
       .is_advice = true},
      {.name = "follows-a-redirect-at-once",
       .mistake = "does not look for Retry-After in a redirect",
       .rule = "RA-10",
       .stage = {.script = once(R"("retry_after": "3s", "headers": {"Location": "/thing"})", 303)},
       .change = hears([](const Progress& p, const Read& right) {
         return p.status() == 303 ? Asked() : right(p);
       })},
      {.name = "prefers-the-reset-time",
       .mistake = "waits for RateLimit's reset though Retry-After is shorter",
       .rule = "RA-11",
       .stage = {.script =
                     once(R"("headers": {"Retry-After": "2", "RateLimit": "\"default\";r=0;t=9"})",
                          429)},
       .change = turns_into([](const Progress&, Duration) { return Duration{9s}; }),
       .is_advice = true},
      {.name = "lets-retry-after-lift-its-limit",
       .mistake = "does not count the attempts that the server asked for",
       .rule = "RA-12",
       .stage = {.script = R"([{"status": 503, "retry_after": "1s"}])",
                 .expect = R"("attempts": {"max": 3},)"},
       .change =
           [](Habits& h) { h.has_attempts_left = [](const Progress& p) { return p.sent < 6; }; },
       .also = {"attempts"}},
      {.name = "reads-no-milliseconds",
       .mistake = "knows Retry-After but not the retry-after-ms of its API",
       .rule = "RA-13",
       .stage = {.script = once(R"("headers": {"retry-after-ms": "6000"})", 429),
                 .expect = R"("profile": "openai",)"},
       .change = hears([](const Progress&, const Read&) { return Asked(); }),
       .jitter = scenario::Jitter::equal,
       .prepare =
           [](Habits& h) {
             h.policy.base = 500ms;
             h.asked = [](const Progress&) { return Asked(6s); };
             h.backoff = [](const Progress& p, Random& random) {
               const Duration top = ceiling(p.policy, p.sent);
               return random.between(top * 3 / 4, top);
             };
           }},
      {.name = "comes-back-with-all-the-others",
       .mistake = "adds no jitter to a Retry-After that every client got",
       .rule = "RA-14",
       .stage = {.script = R"([{"status": 503, "retry_after": "5s", "for": "1s"}, 200])",
                 .expect = R"("operations": {"min": 2},)"},
       .change =
           [](Habits& h) {
             h.wait = [](Asked asked, Duration backoff) { return asked.value_or(backoff); };
           },
       .prepare =
           [](Habits& h) {
             h.wait = [](Asked asked, Duration backoff) {
               return asked.value_or(0s) + 4 * backoff;
             };
           },
       .visit = {.clients = 40},
       .is_advice = true},
  };
}

}  // namespace retrylab::zoo
