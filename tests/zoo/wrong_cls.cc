// SPDX-License-Identifier: MIT
// Clients that misjudge which outcomes are worth another attempt.
#include "tests/zoo/wrong_client.h"

namespace retrylab::zoo {
namespace {

const std::string kPayment = R"("creates": "payment", "idempotency": {},)";

// Gives up on that status, else right.
auto gives_up_on(int status) {
  return [status](Habits& habits) {
    habits.retries = [status, right = habits.retries](const Progress& progress) {
      return progress.status() != status && right(progress);
    };
  };
}

// Takes that status for a passing trouble, else right.
auto repeats(int status) {
  return [status](Habits& habits) {
    habits.retries = [status, right = habits.retries](const Progress& progress) {
      return progress.status() == status || right(progress);
    };
  };
}

auto gives_up_on(Failure failure) {
  return [failure](Habits& habits) {
    habits.retries = [failure, right = habits.retries](const Progress& progress) {
      return progress.outcome.failure != failure && right(progress);
    };
  };
}

}  // namespace

std::vector<WrongClient> wrong_classification() {
  const Stage reset{.script = R"([{"status": 200, "fault": {"do": "reset", "at": "response_start"}},
                                  200])"};
  std::vector<WrongClient> clients{
      {.name = "never-retries",
       .mistake = "takes the first failure for the last word",
       .rule = "CLS-1",
       .stage = {.script = "[503, 200]"},
       .change = [](Habits& h) { h.retries = [](const Progress&) { return false; }; }},
      {.name = "gives-up-on-a-reset",
       .mistake = "retries statuses only, not a connection that was reset",
       .rule = "CLS-1",
       .stage = reset,
       .change = gives_up_on(Failure::reset)},
      {.name = "takes-201-for-a-failure",
       .mistake = "accepts nothing but 200",
       .rule = "CLS-3",
       .stage = {.on = "POST /v1/payments", .script = "[201]", .route = kPayment},
       .change =
           [](Habits& h) {
             h.accepts = [](const Progress& p) { return p.status() == 200; };
             repeats(201)(h);
           }},
      {.name = "sends-once-more-to-be-sure",
       .mistake = "repeats a request that succeeded",
       .rule = "CLS-3",
       .stage = {.script = "[200]"},
       .change =
           [](Habits& h) {
             h.accepts = [](const Progress& p) { return p.status() == 200 && p.sent > 1; };
             repeats(200)(h);
           }},
  };
  for (const int status : {429, 502, 503, 504}) {
    const std::string number = std::to_string(status);
    clients.push_back({.name = "gives-up-on-" + number,
                       .mistake = "does not count " + number + " among the passing troubles",
                       .rule = "CLS-1",
                       .stage = {.script = "[" + number + ", 200]"},
                       .change = gives_up_on(status)});
  }
  for (const int status : {400, 401, 403, 404, 410, 413, 501, 505}) {
    const std::string number = std::to_string(status);
    clients.push_back({.name = "retries-" + number,
                       .mistake = "repeats the very request that got " + number,
                       .rule = "CLS-2",
                       .stage = {.script = "[" + number + ", 200]"},
                       .change = repeats(status)});
  }
  clients.push_back(
      {.name = "retries-every-answer",
       .mistake = "repeats whatever is not 2xx",
       .rule = "CLS-2",
       .stage = {.script = "[503, 451, 200]"},
       .change = [](Habits& h) { h.retries = [](const Progress&) { return true; }; }});
  return clients;
}

}  // namespace retrylab::zoo
