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

const std::string kPatient = R"("total_time": {"max": "10m"},)";
const std::string kSteady =
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
           [](const Progress&, Duration asked) { return asked == 0s ? kForever : asked; })},
      {.name = "aborts-on-soon",
       .mistake = "an unreadable Retry-After ends the operation",
       .rule = "RA-7",
       .stage = {.script = once(raw("soon"))},
       .change =
           [](Habits& h) {
             h.retries = [right = h.retries](const Progress& p) {
               return value(p) != "soon" && right(p);
             };
           }},
      {.name = "hangs-on-a-negative-number",
       .mistake = "reads -5 as an unsigned number",
       .rule = "RA-7",
       .stage = {.script = once(raw("-5"))},
       .change = reads([](const std::string& v) { return v == "-5"; }, kForever)},
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
  };
}

}  // namespace retrylab::zoo
