// SPDX-License-Identifier: MIT
#include "server/journal/operations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/journal/fingerprint.h"
#include "tests/server/journal/run_builder.h"

namespace retrylab::journal {
namespace {

using namespace std::chrono_literals;

// "1,3 2": attempts by operation; "?" behind an operation that is not certain.
std::string grouped(const RunBuilder& builder, const GroupingOptions& options = {}) {
  const journal::Run run = builder.build();
  std::string text;
  for (const OperationGroup& group : group_operations(run, options)) {
    if (!text.empty()) text += ' ';
    std::string attempts;
    for (const std::size_t index : group.attempts) {
      if (!attempts.empty()) attempts += ',';
      attempts += std::to_string(run.attempts[index].id);
    }
    text += attempts + (group.certain ? "" : "?");
  }
  return text;
}

Grouping way(const RunBuilder& builder) {
  return group_operations(builder.build(), {}).front().by;
}

TEST(Operations, one_process_is_one_operation) {
  RunBuilder run;
  run.get(0ms, "/a");
  run.get(1s, "/b");
  EXPECT_EQ(grouped(run), "1,2");
  EXPECT_EQ(way(run), Grouping::one_process);
}

TEST(Operations, one_process_with_several_goes_by_fingerprint) {
  RunBuilder run;
  run.get(0ms, "/a");
  run.get(1s, "/b");
  EXPECT_EQ(grouped(run, {.one_per_process = false}), "1 2");
}

// Whatever they have in common.
TEST(Operations, processes_of_a_herd_share_none) {
  const GroupingOptions several{.one_per_process = false};
  RunBuilder equal;
  equal.herd(2);
  equal.get(0ms).listener(1).answered(503);
  equal.get(500ms).listener(0).answered(503);
  equal.get(1s).listener(1);
  equal.get(2s).listener(0);
  EXPECT_EQ(grouped(equal, several), "1,3 2,4");
  RunBuilder named;
  named.herd(2);
  named.get(0ms).listener(0).header("X-Op-Id", "1").answered(503);
  named.get(1ms).listener(1).header("X-Op-Id", "1").answered(503);
  named.get(1s).listener(1).header("X-Op-Id", "1");
  named.get(2s).listener(0).header("X-Op-Id", "1");
  EXPECT_EQ(grouped(named, several), "1,4 2,3");
}

TEST(Operations, each_process_of_a_herd_is_one_by_its_port) {
  RunBuilder run;
  run.herd(2);
  run.get(0ms).listener(1);
  run.get(1ms).listener(0);
  run.get(2ms).listener(1);
  EXPECT_EQ(grouped(run), "1,3 2");
}

TEST(Operations, the_scenario_names_them) {
  RunBuilder run;
  run.served();
  run.get(0ms).operation("a").answered(503);
  run.get(1s).operation("b").answered(503);
  run.get(2s).operation("a");
  EXPECT_EQ(grouped(run), "1,3 2");
  EXPECT_EQ(way(run), Grouping::scenario);
}

TEST(Operations, a_known_invocation_header_names_them) {
  for (const char* header : {"X-Op-Id", "Amz-Sdk-Invocation-Id"}) {
    RunBuilder run;
    run.served();
    run.get(0ms).header(header, "a").answered(503);
    run.get(1s).header(header, "b").answered(503);
    run.get(2s).header(header, "a");
    EXPECT_EQ(grouped(run), "1,3 2") << header;
    EXPECT_EQ(way(run), Grouping::invocation_header);
  }
}

TEST(Operations, equal_requests_belong_together_until_one_succeeds) {
  RunBuilder run;
  run.served();
  run.get(0ms).answered(503);
  run.get(1s).reset();
  run.get(2s).answered(200);
  run.get(3s).answered(200);
  EXPECT_EQ(grouped(run), "1,2,3 4");
  EXPECT_EQ(way(run), Grouping::fingerprint);
}

TEST(Operations, another_method_target_or_body_is_another_operation) {
  RunBuilder run;
  run.served();
  run.post(0ms).answered(503);
  run.request(1s, "PUT", "/pay").body("{}").answered(503);
  run.post(2s, "/pay?x").answered(503);
  run.post(3s).body("{1}").answered(503);
  run.post(4s);
  EXPECT_EQ(grouped(run), "1,5 2 3 4");
}

TEST(Operations, what_begins_while_another_is_being_answered_is_new) {
  RunBuilder run;
  run.served();
  run.get(0ms).answered(200, 3s);
  run.get(1s).answered(200, 3s);
  run.get(2s).left(1s);
  EXPECT_EQ(grouped(run), "1 2 3");
}

TEST(Operations, a_timeout_is_waited_for_from_when_the_client_left) {
  RunBuilder run;
  run.served();
  run.get(0ms).left(1s);
  run.get(500ms).answered(200);
  run.get(1100ms).answered(200);
  EXPECT_EQ(grouped(run), "1,3 2");
}

TEST(Operations, among_several_that_wait_the_longest_waiting_is_only_likely) {
  RunBuilder run;
  run.served();
  run.get(0ms).answered(503, 50ms);
  run.get(10ms).answered(503, 10ms);
  run.get(1s).answered(200);
  run.get(2s).answered(200);
  EXPECT_EQ(grouped(run), "1,4 2,3?");
}

TEST(Operations, among_several_the_counter_the_client_sends_decides) {
  RunBuilder run;
  run.served();
  run.get(0ms).header("X-Retry-Attempt", "0").answered(503);
  run.get(10ms).header("X-Retry-Attempt", "1").answered(503);
  run.get(20ms).header("X-Retry-Attempt", "0").answered(503);
  run.get(1s).header("X-Retry-Attempt", "1").answered(503);
  run.get(2s).header("X-Retry-Attempt", "2");
  run.get(3s).header("X-Retry-Attempt", "2");
  EXPECT_EQ(grouped(run), "1,2,5 3,4,6");
}

TEST(Operations, among_several_the_connection_decides_but_is_only_likely) {
  RunBuilder run;
  run.served();
  run.get(0ms).connection(1).answered(503, 50ms);
  run.get(10ms).connection(2).answered(503);
  run.get(1s).connection(2);
  EXPECT_EQ(grouped(run), "1 2,3?");
}

TEST(Operations, the_key_tells_equal_requests_apart) {
  RunBuilder run;
  run.served();
  run.post(0ms).key("a").answered(503, 50ms);
  run.post(1ms).key("b").answered(503);
  run.post(1s).key("b").answered(503);
  run.post(2s).key("a");
  EXPECT_EQ(grouped(run), "1,4 2,3");
  EXPECT_EQ(way(run), Grouping::fingerprint_and_key);
}

TEST(Operations, a_key_that_changes_per_attempt_is_still_one_operation) {
  RunBuilder run;
  run.served();
  run.post(0ms).key("a").answered(503);
  run.post(1s).key("b").answered(503);
  run.post(2s).key("c");
  EXPECT_EQ(grouped(run), "1,2,3");
  EXPECT_EQ(way(run), Grouping::fingerprint);
}

TEST(Operations, who_comes_back_to_an_old_key_was_two_operations) {
  RunBuilder run;
  run.served();
  run.post(0ms).key("a").answered(503);
  run.post(500ms).key("b").answered(503);
  run.post(1s).key("a").answered(503);
  run.post(2s).key("b").answered(503);
  run.post(3s).key("a");
  run.post(4s).key("b");
  EXPECT_EQ(grouped(run), "1,3,5 2,4,6");
  EXPECT_EQ(way(run), Grouping::fingerprint_and_key);
}

TEST(Operations, another_key_after_one_that_was_kept_is_a_new_operation) {
  RunBuilder run;
  run.served();
  run.post(0ms).key("a").answered(503);
  run.post(1s).key("a").answered(503);
  run.post(20s).key("b").answered(503);
  EXPECT_EQ(grouped(run), "1,2 3");
  EXPECT_EQ(way(run), Grouping::fingerprint_and_key);
}

TEST(Operations, a_repeat_with_the_key_of_a_success_belongs_to_it) {
  RunBuilder run;
  run.served();
  run.post(0ms).key("a").answered(201);
  run.post(1s).key("a").answered(201);
  EXPECT_EQ(grouped(run), "1,2");
}

TEST(Operations, a_key_used_again_for_another_body_is_a_new_operation) {
  RunBuilder run;
  run.served();
  run.post(0ms).key("a").answered(201);
  run.post(1s).key("a").body("{1}").answered(422);
  EXPECT_EQ(grouped(run), "1 2");
}

TEST(Operations, another_body_after_a_failure_with_the_same_key_is_the_same_operation) {
  RunBuilder run;
  run.served();
  run.post(0ms).key("a").answered(503);
  run.post(1s).key("a").body("{1}");
  EXPECT_EQ(grouped(run), "1,2");
}

TEST(Operations, a_redirect_continues_and_so_do_the_retries_at_the_new_place) {
  RunBuilder run;
  run.served();
  run.post(0ms).answered(303).location("http://localhost:80/poll");
  run.get(10ms, "/poll").answered(429);
  run.get(1s, "/poll");
  run.get(2s, "/poll");
  EXPECT_EQ(grouped(run), "1,2,3 4");
}

TEST(Operations, an_accepted_202_is_polled_on) {
  RunBuilder run;
  run.served();
  run.get(0ms).answered(202);
  run.get(1s).answered(200);
  EXPECT_EQ(grouped(run), "1,2");
}

TEST(Operations, a_request_cut_before_its_body_belongs_to_the_whole_one_that_follows) {
  RunBuilder run;
  run.served();
  run.post(0ms).body_never_read().reset();
  run.post(1s).answered(503);
  run.post(2s).body_never_read().reset();
  run.post(3s);
  EXPECT_EQ(grouped(run), "1,2,3,4");
}

TEST(Operations, what_comes_much_later_is_new_unless_the_server_asked_for_it) {
  RunBuilder run;
  run.served();
  run.get(0ms, "/a").answered(503);
  run.get(3min, "/a");
  run.get(0ms, "/b").answered(503).retry_after("170");
  run.get(3min, "/b");
  EXPECT_EQ(grouped(run), "1 3,4 2");
}

TEST(Operations, unmatched_and_malformed_are_in_none) {
  RunBuilder run;
  run.get(0ms).source(Source::unmatched).answered(404);
  run.get(1ms).source(Source::malformed).answered(400);
  run.get(2ms);
  EXPECT_EQ(grouped(run), "3");
}

TEST(Operations, a_thousand_at_once_are_kept_apart_by_their_keys) {
  RunBuilder run;
  run.served();
  for (int i = 0; i < 1000; ++i) {
    run.post(Duration(i)).key("k" + std::to_string(i)).answered(503, 1s);
  }
  for (int i = 0; i < 1000; ++i) {
    run.post(2s + Duration(7 * i % 1000)).key("k" + std::to_string(i));
  }
  const journal::Run built = run.build();
  const auto groups = group_operations(built, {});
  ASSERT_EQ(groups.size(), 1000u);
  for (const OperationGroup& group : groups) {
    ASSERT_EQ(group.attempts.size(), 2u);
    EXPECT_EQ(built.attempts[group.attempts[0]].key, built.attempts[group.attempts[1]].key);
    EXPECT_TRUE(group.certain);
  }
}

TEST(AnnouncedRetries, are_read_in_every_known_form) {
  struct Case {
    const char* header;
    const char* value;
    std::optional<std::uint64_t> retries;
  };
  for (const Case& one : {Case{"grpc-previous-rpc-attempts", "2", 2},
                          {"X-Retry-Attempt", "0", 0},
                          {"X-Stainless-Retry-Count", "1", 1},
                          {"amz-sdk-request", "attempt=3; max=3", 2},
                          {"amz-sdk-request", "max=3", std::nullopt},
                          {"X-Other", "1", std::nullopt}}) {
    RunBuilder run;
    auto attempt = run.get(0ms).header(one.header, one.value);
    EXPECT_EQ(announced_by(attempt.attempt()).retries, one.retries) << one.header << one.value;
  }
}

}  // namespace
}  // namespace retrylab::journal
