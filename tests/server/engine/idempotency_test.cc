// SPDX-License-Identifier: MIT
// The idempotency store: each branch of a key's life.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/engine/server_under_test.h"

namespace retrylab::engine {
namespace {

using namespace std::chrono_literals;
using journal::Source;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A payment route whose store has these rules and whose script is that.
std::string pays(std::string_view rules, std::string_view script) {
  return fmt::format(R"("routes": [ {{"on": "POST /pay", "creates": "payment",
                                      "idempotency": {{{}}}, "script": [{}]}} ])",
                     rules, script);
}

TEST(idempotency, a_repeat_replays_the_stored_answer_and_creates_nothing) {
  ServerUnderTest server(
      pays("", R"({"status": 201, "headers": {"X-A": "1"}, "body": "{{resource.id}}"}, 503)"));
  const auto first = server.send(post("/pay", "k1"));
  server.deliver(first);
  const auto repeat = server.send(post("/pay", "k1"));
  server.deliver(repeat);
  EXPECT_EQ(server.created(), 1);
  EXPECT_TRUE(repeat.bytes().ends_with(server.attempt(1).resource));
  EXPECT_THAT(repeat.bytes(), HasSubstr("X-A: 1\r\n"));
  EXPECT_THAT(repeat.bytes(), HasSubstr("Idempotent-Replayed: true\r\n"));
  EXPECT_THAT(first.bytes(), Not(HasSubstr("Idempotent-Replayed")));
  const journal::Attempt attempt = server.attempt(2);
  EXPECT_EQ(attempt.planned.source, Source::replay);
  EXPECT_EQ(attempt.planned.status, 201);
  EXPECT_TRUE(attempt.replayed);
  EXPECT_FALSE(attempt.executed);
  EXPECT_EQ(attempt.key, "k1");
  EXPECT_TRUE(attempt.route_has_store);
  EXPECT_EQ(server.status_of(post("/pay", "k2")), 503) << "the replay consumed no step";
}

TEST(idempotency, keys_are_told_apart_by_route) {
  ServerUnderTest server(R"("routes": [
      {"on": "POST /a", "creates": "a", "idempotency": {}, "script": [201]},
      {"on": "POST /b", "creates": "b", "idempotency": {}, "script": [201]} ])");
  server.status_of(post("/a", "k1"));
  server.status_of(post("/b", "k1"));
  EXPECT_EQ(server.created(), 2);
}

TEST(idempotency, without_a_key_every_request_is_new) {
  ServerUnderTest server(pays("", "201"));
  server.status_of(post("/pay"));
  server.status_of(post("/pay"));
  EXPECT_EQ(server.created(), 2);
}

struct KeyCase {
  std::string_view name;
  std::string_view rules;
  std::string key;
  int status = 0;
};

class key_syntax : public testing::TestWithParam<KeyCase> {};

TEST_P(key_syntax, decides) {
  ServerUnderTest server(pays(GetParam().rules, "201"));
  const auto exchange = server.send(post("/pay", GetParam().key));
  server.deliver(exchange);
  EXPECT_EQ(exchange.status(), GetParam().status);
  const bool refused = GetParam().status == 400;
  EXPECT_EQ(server.attempt(1).planned.source == Source::key_missing, refused);
  EXPECT_EQ(server.created(), refused ? 0 : 1);
}

INSTANTIATE_TEST_SUITE_P(
    table, key_syntax,
    testing::Values(KeyCase{"missing_when_required", R"("required": true)", "", 400},
                    KeyCase{"missing_when_not_required", R"("required": false)", "", 201},
                    KeyCase{"bare_when_lenient", R"("required": true)", "8e03", 201},
                    KeyCase{"bare_when_strict", R"("syntax": "strict")", "8e03", 400},
                    KeyCase{"quoted_when_strict", R"("syntax": "strict")", "\"8e03\"", 201},
                    KeyCase{"escaped_quote", R"("syntax": "strict")", R"("a\"b")", 201},
                    KeyCase{"open_quote", R"("syntax": "strict")", "\"8e03", 400},
                    KeyCase{"inner_quote", R"("syntax": "strict")", "\"a\"b\"", 400},
                    KeyCase{"escape_at_the_end", R"("syntax": "strict")", R"("a\")", 400},
                    KeyCase{"other_escape", R"("syntax": "strict")", R"("a\n")", 400},
                    KeyCase{"not_ascii", R"("syntax": "strict")", "\"\xc3\xa4\"", 400},
                    KeyCase{"parameters", R"("syntax": "strict")", "\"a\";b=1", 400},
                    KeyCase{"empty_string", R"("syntax": "strict")", "\"\"", 400}),
    CaseName());

struct PayloadCase {
  std::string_view name;
  std::string_view rules;
  SimpleRequest second;
  int status = 0;
};

class payload : public testing::TestWithParam<PayloadCase> {};

TEST_P(payload, decides) {
  ServerUnderTest server(pays(GetParam().rules, "201, 503"));
  server.status_of(post("/pay", "k1", "{\"amount\": 1}"));
  EXPECT_EQ(server.status_of(GetParam().second), GetParam().status);
  EXPECT_EQ(server.created(), 1);
}

INSTANTIATE_TEST_SUITE_P(
    table, payload,
    testing::Values(PayloadCase{"the_same", "", post("/pay", "k1", "{\"amount\": 1}"), 201},
                    PayloadCase{"another_body", "", post("/pay", "k1", "{\"amount\": 2}"), 422},
                    PayloadCase{"another_target", "", post("/pay?x", "k1", "{\"amount\": 1}"), 422},
                    PayloadCase{"another_body_unchecked", R"("check_payload": false)",
                                post("/pay", "k1", "{\"amount\": 2}"), 201}),
    CaseName());

TEST(idempotency, another_payload_is_told_before_in_flight) {
  ServerUnderTest server(pays("", R"({"status": 201, "delay": "10s"})"));
  server.send(post("/pay", "k1", "1"));
  EXPECT_EQ(server.send(post("/pay", "k1", "2")).status(), 422);
  EXPECT_EQ(server.send(post("/pay", "k1", "1")).status(), 409);
}

TEST(idempotency, in_flight_lasts_from_the_claim_to_the_planned_start) {
  ServerUnderTest server(pays("", R"({"status": 201, "delay": "10s"}, 503)"));
  const Answer first = server.head(post("/pay", "k1"));
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 409) << "its body is still being read";
  const wire::Plan plan = server.body(first.attempt, "{}");
  server.now += 1s;
  server.cut({first.attempt, {}, plan}, 0);
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 409) << "its client has left";
  server.now = Instant(10s) - 1ns;
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 409);
  server.now = Instant(10s);
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 201);
  EXPECT_EQ(server.attempt(3).planned.source, Source::key_in_flight);
  EXPECT_EQ(server.created(), 1);
}

TEST(idempotency, a_stall_before_the_answer_keeps_the_key_in_flight) {
  ServerUnderTest server(pays(
      "", R"({"status": 201, "fault": {"do": "stall", "for": "5s", "at": "response_start"}})"));
  server.send(post("/pay", "k1"));
  server.now = Instant(5s) - 1ns;
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 409);
  server.now = Instant(5s);
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 201);
}

// An answer that never starts cannot end the flight: it is over where the plan stops for good.
TEST(idempotency, a_stall_for_ever_ends_the_flight) {
  ServerUnderTest server(pays("", R"({"status": 201, "delay": "1s",
                   "fault": {"do": "stall", "at": "response_start"}})"));
  server.send(post("/pay", "k1"));
  server.now = Instant(1s) - 1ns;
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 409);
  server.now = Instant(1s);
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 201);
}

TEST(idempotency, what_was_not_executed_is_not_stored) {
  ServerUnderTest server(pays("", "503, 201"));
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 503);
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 201);
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 201);
  EXPECT_EQ(server.created(), 1);
}

TEST(idempotency, every_final_answer_is_stored_when_asked_for) {
  ServerUnderTest server(pays(R"("store": "every")", "503, 201"));
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 503);
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 503);
  EXPECT_TRUE(server.attempt(2).replayed);
  EXPECT_EQ(server.created(), 0);
}

TEST(idempotency, an_answer_that_was_lost_is_stored_all_the_same) {
  ServerUnderTest server(
      pays("", R"({"status": 201, "fault": {"do": "reset", "at": "response_start"}}, 201)"));
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 0);
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 201);
  EXPECT_TRUE(server.attempt(2).replayed);
  EXPECT_EQ(server.created(), 1);
}

TEST(idempotency, the_answer_the_operation_really_had_is_stored) {
  ServerUnderTest server(pays(
      "", R"({"status": 504, "executes": {"status": 201, "json": {"id": "{{resource.id}}"}}})"));
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 504);
  const auto repeat = server.send(post("/pay", "k1"));
  EXPECT_EQ(repeat.status(), 201);
  EXPECT_THAT(repeat.bytes(), HasSubstr(server.attempt(1).resource));
}

TEST(idempotency, a_key_is_free_again_when_its_request_never_became_whole) {
  ServerUnderTest server(
      pays("", R"({"status": 201, "fault": {"do": "reset", "at": "request_headers"}}, 201)"));
  const Answer cut = server.head(post("/pay", "k1"));
  EXPECT_THAT(lines_of(cut.plan), ElementsAre("reset"));
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 201);
  EXPECT_FALSE(server.attempt(2).replayed);
}

TEST(idempotency, a_key_is_free_again_when_its_client_left_while_sending) {
  ServerUnderTest server(pays("", "201, 202"));
  const Answer first = server.head(post("/pay", "k1"));
  server.cut({first.attempt, {}, first.plan}, 0);
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 202);
  EXPECT_EQ(server.created(), 1);
}

TEST(idempotency, a_stored_answer_expires) {
  ServerUnderTest server(pays(R"("ttl": "24h")", "201, 202"));
  server.status_of(post("/pay", "k1"));
  server.now = Instant(24h) - 1ns;
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 201);
  server.now = Instant(24h);
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 202);
  EXPECT_EQ(server.created(), 2);
}

TEST(idempotency, a_waiting_repeat_gets_the_first_answer) {
  ServerUnderTest server(pays(R"("in_flight": "wait")", R"({"status": 201, "delay": "10s"})"));
  server.send(post("/pay", "k1"));
  server.now += 4s;
  const auto repeat = server.send(post("/pay", "k1"));
  EXPECT_THAT(repeat.lines(), ElementsAre("await 10s"));
  server.now = Instant(10s);
  const wire::Plan plan = server.engine().resume(repeat.id, server.now);
  EXPECT_THAT(lines_of(plan), ElementsAre("write HTTP/1.1 201 Created (head)", "keep_alive"));
  server.deliver({repeat.id, {}, plan});
  EXPECT_TRUE(server.attempt(repeat.id).replayed);
  EXPECT_EQ(server.created(), 1);
}

TEST(idempotency, a_waiting_repeat_is_told_when_the_first_answer_is_planned) {
  ServerUnderTest server(pays(R"("in_flight": "wait")", R"({"status": 201, "delay": "10s"})"));
  const Answer first = server.head(post("/pay", "k1"));
  const auto repeat = server.send(post("/pay", "k1"));
  EXPECT_THAT(repeat.lines(), ElementsAre("await ever"));
  EXPECT_THAT(server.engine().take_released(), ElementsAre());
  server.body(first.attempt, "{}");
  EXPECT_THAT(server.engine().take_released(), ElementsAre(repeat.id));
  EXPECT_THAT(lines_of(server.engine().resume(repeat.id, server.now)), ElementsAre("await 10s"));
}

TEST(idempotency, a_waiting_repeat_takes_over_when_the_first_fails) {
  ServerUnderTest server(pays(R"("in_flight": "wait")", "201, 202"));
  const Answer first = server.head(post("/pay", "k1"));
  const auto repeat = server.send(post("/pay", "k1"));
  server.cut({first.attempt, {}, first.plan}, 0);
  EXPECT_THAT(server.engine().take_released(), ElementsAre(repeat.id));
  const wire::Plan plan = server.engine().resume(repeat.id, server.now);
  EXPECT_THAT(lines_of(plan), ElementsAre("write HTTP/1.1 202 Accepted (head)", "keep_alive"));
  server.deliver({repeat.id, {}, plan});
  EXPECT_TRUE(server.attempt(repeat.id).executed);
}

TEST(idempotency, the_replay_header_has_the_name_the_scenario_gives) {
  ServerUnderTest server(pays(R"("replay_header": "X-Again")", "201"));
  server.status_of(post("/pay", "k1"));
  EXPECT_THAT(server.send(post("/pay", "k1")).bytes(), HasSubstr("X-Again: true\r\n"));
}

TEST(idempotency, an_override_changes_the_delivery_of_the_nth_replay) {
  ServerUnderTest server(R"("routes": [ {"on": "POST /pay", "idempotency": {}, "script": [201],
      "overrides": [ {"when": {"replay": 2},
                      "fault": {"do": "reset", "at": "response_start"}} ]} ])");
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 201);
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 201);
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 0);
  EXPECT_EQ(server.status_of(post("/pay", "k1")), 201);
  EXPECT_THAT(server.attempt(3).planned.faults, ElementsAre("reset at response_start"));
  EXPECT_TRUE(server.attempt(3).replayed);
}

}  // namespace
}  // namespace retrylab::engine
