// SPDX-License-Identifier: MIT
// Clients that misjudge which outcomes are worth another attempt.
#include "tests/zoo/wrong_client.h"

namespace retrylab::zoo {
namespace {

constexpr const char* kPayment = R"("creates": "payment", "idempotency": {},)";

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
       .stage = {.on = "PUT /v1/notes/7", .script = "[201]"},
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
      {.name = "retries-500-undeclared",
       .mistake = "repeats a 500 though its profile does not say so",
       .rule = "CLS-4",
       .stage = {.script = "[500, 200]"},
       .change = repeats(500),
       .is_advice = true},
      {.name = "retries-a-plain-409",
       .mistake = "hopes that a conflict resolves itself",
       .rule = "CLS-6",
       .stage = {.script = "[409, 200]"},
       .change = repeats(409)},
      {.name = "gives-up-on-409-in-progress",
       .mistake = "takes the 409 of its own earlier attempt for the last word",
       .rule = "CLS-6",
       .stage = {.on = "POST /v1/payments",
                 .script = R"([{"status": 201, "delay": "12s"}])",
                 .route = kPayment,
                 .expect = R"("attempts": {"max": 5},)"},
       .change = gives_up_on(409)},
      {.name = "hurries-after-413",
       .mistake = "repeats a 413 sooner than its Retry-After asks",
       .rule = "CLS-7",
       .stage = {.script = R"([{"status": 413, "retry_after": "5s"}, 200])"},
       .change =
           [](Habits& h) {
             repeats(413)(h);
             h.asked = [](const Progress&) { return std::optional<Duration>(); };
           }},
      {.name = "insists-on-early-data",
       .mistake = "repeats a 425 with Early-Data: 1, as it was sent the first time",
       .rule = "CLS-8",
       .stage = {.script = "[425, 200]"},
       .change =
           [](Habits& h) {
             h.request = [right = h.request](const Progress& p) {
               sim::Send request = right(p);
               request.headers.push_back({"Early-Data", "1"});
               return request;
             };
           },
       .prepare = repeats(425),
       .is_advice = true},
      {.name = "overrules-the-server",
       .mistake = "repeats a 503 that says Stripe-Should-Retry: false",
       .rule = "CLS-9",
       .stage = {.script = R"([{"status": 503, "headers": {"Stripe-Should-Retry": "false"}}, 200])",
                 .expect = R"("profile": "stripe",)"},
       .change = [](Habits& h) { h.retries = [](const Progress& p) { return p.status() == 503; }; },
       .jitter = scenario::Jitter::equal,
       .prepare =
           [](Habits& h) {
             h.policy.base = std::chrono::milliseconds(500);
             h.retries = [](const Progress&) { return false; };
           }},
      {.name = "takes-half-an-answer",
       .mistake = "reports success for a body that was cut off",
       .rule = "CLS-10",
       .stage = {.script = R"([{"status": 200, "body": "all of it",
                               "fault": {"do": "close", "at": {"body_byte": 3}}}, 200])"},
       .change =
           [](Habits& h) {
             h.accepts = [right = h.accepts](const Progress& p) {
               return p.outcome.failure == Failure::truncated || right(p);
             };
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
  clients.push_back({.name = "repeats-a-413-that-came-first",
                     .mistake = "repeats a request that was refused before its body was read",
                     .rule = "CLS-2",
                     .stage = {.on = "PUT /v1/notes/7", .script = R"([{"status": 413,
                               "fault": {"do": "leave_unread", "at": "request_headers"}}, 200])"},
                     .change = repeats(413)});
  clients.push_back(
      {.name = "retries-every-answer",
       .mistake = "repeats whatever is not 2xx",
       .rule = "CLS-2",
       .stage = {.script = "[503, 451, 200]"},
       .change = [](Habits& h) { h.retries = [](const Progress&) { return true; }; }});
  return clients;
}

}  // namespace retrylab::zoo
