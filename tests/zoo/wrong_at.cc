// SPDX-License-Identifier: MIT
// Clients that do not know when to stop, or stop too soon.
#include "tests/zoo/wrong_client.h"

namespace retrylab::zoo {
namespace {

using namespace std::chrono_literals;

const std::string kFourAttempts = R"("attempts": {"max": 4},)";

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
       .also = {"attempts"}},
      {.name = "sleeps-past-its-deadline",
       .mistake = "checks the deadline before the sleep, not after it",
       .rule = "AT-3",
       .stage = {.script = R"([{"status": 503, "retry_after": "6s"}])",
                 .expect = R"("total_time": {"max": "10s"},)"},
       .change =
           [](Habits& h) {
             h.may_sleep = [](const Progress& p, Duration) {
               return p.now < p.started + p.policy.deadline;
             };
             h.may_send = [](const Progress&, Instant) { return true; };
             h.attempt_timeout = [](const Progress& p) { return p.policy.attempt_timeout; };
           },
       .also = {"total_time"}},
      {.name = "hedges-without-saying-so",
       .mistake = "starts another attempt while the first is still waiting",
       .rule = "AT-5",
       .stage = {.script = R"([{"status": 200, "delay": "3s"}])"},
       .change = [](Habits&) {},
       .clients = 2,
       .apart = 1s},
  };
}

}  // namespace retrylab::zoo
