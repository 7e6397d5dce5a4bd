// SPDX-License-Identifier: MIT
#include "client_lib/cli/outcome_line.h"

#include <gtest/gtest.h>

namespace retrylab::cli {
namespace {

using namespace std::chrono_literals;

TEST(OutcomeLine, a_success_with_its_history) {
  OperationResult result{.reason = Reason::succeeded};
  result.outcome = Outcome{.response = {.status = 201, .body = "abc"}};
  result.key = "k";
  result.attempts = {{.started = Instant(1s),
                      .ended = Instant(1s + 1500us),
                      .failure = Failure::reset,
                      .detail = "broken",
                      .wait = 250ms,
                      .wait_cause = WaitCause::backoff},
                     {.number = 2, .started = Instant(2s), .ended = Instant(2s), .status = 201}};
  EXPECT_EQ(outcome_line(result),
            R"({"outcome":"success","status":201,)"
            R"("body_sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",)"
            R"("reason":"succeeded","key":"k","attempts":[)"
            R"({"at_ms":0.0,"took_ms":1.5,"failure":"reset","detail":"broken","wait_ms":250.0,)"
            R"("why":"backoff"},{"at_ms":1000.0,"took_ms":0.0,"status":201}]})");
}

TEST(OutcomeLine, a_failure_without_any_answer_has_no_status) {
  OperationResult result{.reason = Reason::attempts_exhausted};
  result.outcome = Outcome{.failure = Failure::refused};
  result.attempts = {{.failure = Failure::refused}};
  EXPECT_EQ(outcome_line(result),
            R"({"outcome":"failure","reason":"attempts_exhausted","attempts":[)"
            R"({"at_ms":0.0,"took_ms":0.0,"failure":"refused"}]})");
}

TEST(OutcomeLine, what_could_not_be_sent_says_why) {
  const OperationResult result{.reason = Reason::invalid_request, .problem = "no \"url\"\xff"};
  EXPECT_EQ(outcome_line(result),
            R"({"outcome":"failure","reason":"invalid_request","problem":"no \"url\")"
            "\xef\xbf\xbd"
            R"(","attempts":[]})");
}

}  // namespace
}  // namespace retrylab::cli
