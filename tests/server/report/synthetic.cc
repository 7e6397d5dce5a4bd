// SPDX-License-Identifier: MIT
#include "tests/server/report/synthetic.h"

namespace retrylab::report {
namespace {

using verify::Status;

journal::Run numbered_run(std::uint32_t number) {
  journal::Run run;
  run.number = number;
  run.seed = 41 + number;
  run.scenario_hash = "0123456789abcdef";
  run.command = "retrylab run pay.json --seed 42 -- ./client";
  run.zero = Instant{};
  journal::ClientEnd client;
  client.exit_code = 0;
  client.outcome = journal::ClientEnd::Outcome::success;
  client.ended = at(milliseconds(9));
  run.clients = {client};
  return run;
}

}  // namespace

journal::Attempt answered(journal::AttemptId id, Duration arrival, int status) {
  journal::Attempt attempt;
  attempt.id = id;
  attempt.connection = id;
  attempt.client = "127.0.0.1";
  attempt.first_byte = at(arrival);
  attempt.head_read = at(arrival + microseconds(50));
  attempt.body_read = at(arrival + microseconds(60));
  attempt.method = "POST";
  attempt.target = "/v1/payments";
  attempt.head = "POST /v1/payments HTTP/1.1\r\nHost: x\r\n\r\n";
  attempt.planned.source = journal::Source::script;
  attempt.planned.route = "POST /v1/payments";
  attempt.planned.status = status;
  attempt.delivered.ending = journal::Ending::delivered;
  attempt.delivered.r_min = at(arrival + microseconds(200));
  attempt.delivered.r_max = at(arrival + microseconds(220));
  return attempt;
}

Synthetic early_client() {
  Synthetic made;
  made.scenario.name = "busy-then-paid";
  made.scenario.about = "The server is busy, then asks for two seconds.";
  auto run = numbered_run(1);
  run.attempts = {answered(1, Duration(0), 503), answered(2, milliseconds(251), 429),
                  answered(3, milliseconds(252), 201)};
  run.attempts[1].planned.retry_after = {"2"};
  run.attempts[2].executed = true;
  run.attempts[2].resource = "payment_1";
  run.resources = {
      {.kind = "payment", .id = "payment_1", .attempt = 3, .at = at(milliseconds(252))}};
  made.runs = {run};

  made.verdict.status = Status::fail;
  made.verdict.profile = "careful";
  made.verdict.worst_lag = microseconds(1300);
  made.verdict.operations = {{.attempts = {{1, 1}, {1, 2}, {1, 3}}}};
  made.verdict.rules = {
      {.id = "CLS-1", .status = Status::pass, .statement = "Retryable answers are retried"},
      {.id = "RA-1",
       .status = Status::fail,
       .statement = "No attempt before Retry-After is over",
       .source = "RFC 9110 §10.2.3",
       .expected = "2s or more after the answer of attempt 2",
       .observed = "0.8ms",
       .missed_by = microseconds(1'999'200),
       .attempts = {{1, 2}, {1, 3}},
       .advice = "Wait until Retry-After is over before the next attempt"},
      {.id = "RA-2",
       .status = Status::advice,
       .statement = "Not much later than Retry-After",
       .expected = "at most 3s",
       .observed = "4s"},
      {.id = "BO-3",
       .status = Status::inconclusive,
       .statement = "No immediate first retry",
       .observed = "the host was 40ms late"},
      {.id = "BO-4",
       .status = Status::not_applicable,
       .statement = "Jitter",
       .observed = "had 2 gaps, needs 10: --repeat 5"},
      {.id = "created", .status = Status::pass, .statement = "created", .observed = "1 payment"}};
  return made;
}

Synthetic passing(std::uint32_t runs) {
  Synthetic made;
  made.scenario.name = "fine";
  for (std::uint32_t number = 1; number <= runs; ++number) {
    made.runs.push_back(numbered_run(number));
    made.runs.back().attempts = {answered(1, Duration(0), 200)};
    made.runs.back().attempts[0].run = number;
    made.verdict.operations.push_back({.run = number, .attempts = {{number, 1}}});
  }
  made.verdict.rules = {{.id = "CLS-3", .status = Status::pass, .statement = "2xx is final"}};
  return made;
}

}  // namespace retrylab::report
