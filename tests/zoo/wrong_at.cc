// SPDX-License-Identifier: MIT
// Clients that do not know when to stop, or stop too soon.
#include "tests/zoo/wrong_client.h"

namespace retrylab::zoo {
namespace {

using namespace std::chrono_literals;

constexpr const char* kFourAttempts = R"("attempts": {"max": 4},)";

}  // namespace

std::vector<WrongClient> wrong_attempts() {
  return {
      {.name = "counts-retries-for-attempts",
       .mistake = "makes one attempt more than declared",
       .rule = "AT-1",
       .stage = {.script = "[503]", .expect = kFourAttempts},
       .change = [](Habits& h) { ++h.policy.attempts; },
       .also = {"attempts"}},
      {.name = "never-stops",
       .mistake = "retries as long as time permits",
       .rule = "AT-1",
       .stage = {.script = "[503]", .expect = kFourAttempts},
       .change = [](Habits& h) { h.policy.attempts = 1000; },
       .also = {"attempts"}},
      {.name = "stops-one-short",
       .mistake = "makes one attempt less than declared",
       .rule = "AT-2",
       .stage = {.script = "[503]", .expect = R"("attempts": 4,)"},
       .change = [](Habits& h) { --h.policy.attempts; },
       .prepare = [](Habits& h) { h.policy.attempts = 4; },
       .also = {"attempts"}},
      {.name = "sleeps-past-its-deadline",
       .mistake = "checks the deadline before the sleep, not after it",
       .rule = "AT-3",
       .stage = {.script = R"([{"status": 503, "retry_after": "2s"}])",
                 .expect = R"("total_time": {"max": "3s"},)"},
       .change =
           [](Habits& h) {
             h.may_sleep = [](const Progress& p, Duration) {
               return p.now < p.started + p.policy.deadline;
             };
             h.may_send = [](const Progress&, Instant) { return true; };
             h.attempt_timeout = [](const Progress& p) { return p.policy.attempt_timeout; };
           },
       .also = {"total_time"}},
      {.name = "counts-its-deadline-anew",
       .mistake = "gives every attempt the whole deadline",
       .rule = "AT-3",
       .stage = {.script = R"([{"status": 503, "retry_after": "2s"}])",
                 .expect = R"("total_time": {"max": "3s"},)"},
       .change =
           [](Habits& h) {
             h.may_sleep = [](const Progress& p, Duration wait) {
               return p.now + wait < p.sent_at + p.policy.deadline;
             };
             h.may_send = [](const Progress&, Instant) { return true; };
             h.attempt_timeout = [](const Progress& p) { return p.policy.attempt_timeout; };
           },
       .also = {"total_time"}},
      {.name = "never-gives-an-attempt-up",
       .mistake = "has a deadline but no timeout for a single attempt",
       .rule = "AT-4",
       .stage = {.script = R"([{"status": 200, "fault": {"do": "stall", "at": "response_start"}},
                              200])",
                 .expect = R"("attempt_timeout": "1s", "total_time": {"max": "60s"},)"},
       .change = [](Habits& h) { h.policy.attempt_timeout = 4s; }},
      {.name = "starts-its-timeout-over-with-every-byte",
       .mistake = "has a timeout for silence only, and an answer trickles in",
       .rule = "AT-4",
       .stage = {.script = R"([{"status": 200, "body": "abcdefgh",
                               "pace": {"bytes": 1, "every": "300ms"}}, 200])",
                 .expect = R"("attempt_timeout": "1s", "total_time": {"max": "60s"},)"},
       .change = [](Habits& h) { h.policy.attempt_timeout = 4s; }},
      {.name = "hedges-without-saying-so",
       .mistake = "starts another attempt while the first is still waiting",
       .rule = "AT-5",
       .stage = {.script = R"([{"status": 200, "delay": "3s"}])", .expect = R"("operations": 1,)"},
       .change = [](Habits&) {},
       .visit = {.clients = 2, .apart = 1s, .one_operation = true}},
      {.name = "hedges-too-soon",
       .mistake = "starts the second attempt in half the time that is declared",
       .rule = "AT-6",
       .stage = {.script = R"([{"status": 200, "delay": "3s"}])",
                 .expect = R"("operations": 1, "hedging_delay": "2s",)"},
       .change = [](Habits&) {},
       .visit = {.clients = 2, .apart = 1s, .one_operation = true}},
      {.name = "retries-in-two-layers",
       .mistake = "a library inside and a loop outside: three times three attempts",
       .rule = "AT-7",
       .stage = {.script = R"([{"status": 503, "times": 9}, 200])",
                 .expect = R"("attempts": {"max": 4}, "total_time": {"max": "2m"},)"},
       .change =
           [](Habits& h) {
             h.policy.attempts = 9;
             h.backoff = [](const Progress& p, Random& random) {
               if (p.sent % 3 == 0) return random.between(1200ms, 1400ms);
               return random.between(100ms, 120ms) * (p.sent % 3);
             };
           },
       .also = {"attempts"}},
      {.name = "miscounts-its-attempts",
       .mistake = "announces the same number of earlier attempts each time",
       .rule = "AT-8",
       .stage = {.script = "[503, 503, 200]"},
       .change =
           [](Habits& h) {
             h.request = [right = h.request](const Progress& p) {
               sim::Send request = right(p);
               request.headers.push_back({"grpc-previous-rpc-attempts", "0"});
               return request;
             };
           },
       .is_advice = true},
  };
}

}  // namespace retrylab::zoo
