// SPDX-License-Identifier: MIT
// What was not seen is not judged: neither passed nor blamed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;
using journal::Source;
using scenario::CountRange;
using Wanted = scenario::ExpectClient::Outcome;

struct Case {
  std::string story;
  std::string id;
  std::function<void(Stage&)> tell;
  Status status = Status::pass;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.id << ": " << one.story;
}

class Unseen : public testing::TestWithParam<Case> {};

TEST_P(Unseen, is_neither_passed_nor_blamed) {
  Stage stage;
  GetParam().tell(stage);
  const Verdict verdict = stage.judge();
  const RuleResult result = result_of(verdict, GetParam().id);
  EXPECT_EQ(word(result.status), word(GetParam().status))
      << GetParam().story << "\n  observed: " << result.observed;
}

void one_payment(Stage& s) {
  s.expect.created["payment"] = CountRange{.min = 1, .max = 1};
}

void exits_with_zero(Stage& s) {
  s.run.client(ClientOutcome::none, 400ms);
  s.run.run().clients.back().exit_code = 0;
}

INSTANTIATE_TEST_SUITE_P(
    , Unseen,
    testing::Values(
        Case{"bytes that are no request", "traffic",
             [](Stage& s) { s.run.get(0ms).source(Source::malformed); }, Status::fail},
        Case{"a request that no route takes", "traffic",
             [](Stage& s) {
               s.expect.unmatched = CountRange{};
               s.run.get(0ms).source(Source::unmatched);
             },
             Status::fail},
        Case{"bytes that are no request, and one that is", "traffic",
             [](Stage& s) {
               s.run.get(0ms).source(Source::malformed);
               s.run.get(1ms);
             },
             Status::pass},
        Case{"no request, in a journal that is cut", "traffic",
             [](Stage& s) { s.run.run().is_cut = true; }, Status::inconclusive},
        Case{"nothing made yet, and the client may still wait", "created",
             [](Stage& s) {
               one_payment(s);
               s.run.served().ended(1s);
               s.run.post(0ms).key("k").answered(503);
             },
             Status::inconclusive},
        Case{"nothing made, and the client gave up", "created",
             [](Stage& s) {
               one_payment(s);
               s.run.post(0ms).key("k").answered(503);
               s.run.client(ClientOutcome::failure, 5s);
             },
             Status::fail},
        Case{"nothing made, in a journal that is cut", "created",
             [](Stage& s) {
               one_payment(s);
               s.run.post(0ms).key("k").answered(503);
               s.run.client(ClientOutcome::failure, 5s);
               s.run.run().is_cut = true;
             },
             Status::inconclusive},
        Case{"two made, in a journal that is cut", "created",
             [](Stage& s) {
               one_payment(s);
               s.run.post(0ms).key("k").created("payment").answered(201);
               s.run.post(9ms).key("l").created("payment").answered(201);
               s.run.run().is_cut = true;
             },
             Status::fail},
        Case{"a success without any answer", "client",
             [](Stage& s) {
               s.expect.client.outcome = Wanted::succeeds;
               s.run.get(0ms).reset();
               s.run.get(300ms).reset();
               exits_with_zero(s);
             },
             Status::fail},
        Case{"a success in words after a 503", "client",
             [](Stage& s) {
               s.expect.client.outcome = Wanted::succeeds;
               s.run.get(0ms).answered(503);
               s.run.client(ClientOutcome::success, 400ms);
             },
             Status::fail},
        Case{"a success in words after a 404, as of a second DELETE", "client",
             [](Stage& s) {
               s.expect.client.outcome = Wanted::succeeds;
               s.run.request(0ms, "DELETE", "/thing").reset();
               s.run.request(300ms, "DELETE", "/thing").answered(404);
               s.run.client(ClientOutcome::success, 400ms);
             },
             Status::advice},
        Case{"an exit code of zero after a 503", "client",
             [](Stage& s) {
               s.expect.client.outcome = Wanted::succeeds;
               s.run.get(0ms).answered(503);
               exits_with_zero(s);
             },
             Status::advice},
        Case{"a success after a success", "client",
             [](Stage& s) {
               s.expect.client.outcome = Wanted::succeeds;
               s.run.get(0ms).answered(503);
               s.run.get(300ms).answered(200);
               s.run.client(ClientOutcome::success, 400ms);
             },
             Status::pass},
        Case{"an attempt beyond the script", "after_script",
             [](Stage& s) {
               s.scenario.routes.emplace_back().after_script = scenario::AfterScript::fail;
               s.run.get(0ms).answered(200);
               s.run.get(300ms).source(Source::after_script).answered(500);
             },
             Status::fail},
        Case{"no attempt beyond the script", "after_script",
             [](Stage& s) {
               s.scenario.routes.emplace_back().after_script = scenario::AfterScript::fail;
               s.run.get(0ms).answered(200);
             },
             Status::pass},
        Case{"attempts beyond a script that goes on", "after_script",
             [](Stage& s) { s.run.get(0ms).source(Source::after_script).answered(500); },
             Status::not_applicable},
        Case{"a payment repeated with another time stamp in it", "ID-1",
             [](Stage& s) {
               s.run.post(0ms).body("at 1").reset();
               s.run.post(300ms).body("at 2").answered(201);
             },
             Status::inconclusive},
        Case{"the same, where the scenario says what an operation is", "ID-1",
             [](Stage& s) {
               s.run.served();
               s.run.post(0ms).operation("o").body("at 1").reset();
               s.run.post(300ms).operation("o").body("at 2").answered(201);
             },
             Status::fail},
        Case{"a redirect leads to a GET, which needs no key", "ID-3",
             [](Stage& s) {
               s.run.post(0ms).key("k").answered(303).location("/thing");
               s.run.get(1ms, "/thing").answered(200);
             },
             Status::pass},
        Case{"a redirect leads to a route without a store", "ID-3",
             [](Stage& s) {
               s.scenario.routes.emplace_back().on.text = "POST /elsewhere";
               s.run.post(0ms).key("k").answered(307).location("/elsewhere");
               s.run.post(1ms, "/elsewhere").route("POST /elsewhere").answered(200);
             },
             Status::pass},
        Case{"a length is added after a 411", "CLS-2",
             [](Stage& s) {
               s.run.post(0ms).key("k").answered(411);
               s.run.post(1ms).key("k").header("Content-Length", "2").answered(200);
             },
             Status::pass},
        Case{"a header is left out after a 431", "CLS-2",
             [](Stage& s) {
               s.run.get(0ms).header("Cookie", std::string(9000, 'c')).answered(431);
               s.run.get(1ms).answered(200);
             },
             Status::pass},
        Case{"the same request again after a 431", "CLS-2",
             [](Stage& s) {
               s.run.get(0ms).answered(431);
               s.run.get(1ms).answered(200);
             },
             Status::fail},
        Case{"a token is fetched again after a 401", "CLS-3",
             [](Stage& s) {
               s.run.get(0ms, "/token").answered(200);
               s.run.get(100ms, "/thing").answered(401);
               s.run.get(200ms, "/token").answered(200);
               s.run.get(300ms, "/thing").header("Authorization", "new").answered(200);
             },
             Status::pass},
        Case{"a key in two header lines", "ID-6",
             [](Stage& s) {
               auto& route = s.scenario.routes.emplace_back();
               route.on.text = "POST /pay";
               route.idempotency.emplace();
               s.run.post(0ms).route("POST /pay").key("k").header("Idempotency-Key", "l");
             },
             Status::fail}),
    [](const auto& one) { return std::to_string(one.index); });

}  // namespace
}  // namespace retrylab::verify
