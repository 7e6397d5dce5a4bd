// SPDX-License-Identifier: MIT
#include "server/journal/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace retrylab::journal {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;

Instant at(int ms) {
  return Instant(milliseconds(ms));
}

Attempt attempt(AttemptId id) {
  Attempt made;
  made.id = id;
  made.first_byte = at(static_cast<int>(id));
  return made;
}

std::unique_ptr<Attempt> begun(AttemptId id) {
  return std::make_unique<Attempt>(attempt(id));
}

std::vector<AttemptId> ids(const Run& run) {
  std::vector<AttemptId> all;
  for (const Attempt& one : run.attempts) all.push_back(one.id);
  return all;
}

// Writes down the name of each call.
class Calls : public Sink {
 public:
  void run_started(const Run&) override { names.emplace_back("run_started"); }
  void connection_opened(const Connection&) override { names.emplace_back("connection_opened"); }
  void connection_ended(const Connection&) override { names.emplace_back("connection_ended"); }
  void begun(const Attempt& a) override { names.push_back("begun " + std::to_string(a.id)); }
  void ended(const Attempt& a) override { names.push_back("ended " + std::to_string(a.id)); }
  void resource(const Resource&) override { names.emplace_back("resource"); }
  void lag(const Lag&) override { names.emplace_back("lag"); }
  void client_ended(const ClientEnd&) override { names.emplace_back("client_ended"); }
  void run_ended(const Run&) override { names.emplace_back("run_ended"); }

  std::vector<std::string> names;
};

TEST(Recorder, hands_every_record_to_the_sink_in_order) {
  Calls calls;
  Recorder recorder({}, {}, &calls);
  recorder.open({.id = 1});
  recorder.begin(begun(1));
  recorder.add(Resource{.kind = "payment"});
  recorder.add(Lag{at(1), milliseconds(2)});
  recorder.end(1);
  recorder.end_connection(1);
  recorder.add(ClientEnd{});
  recorder.finish(at(9), 0);
  EXPECT_THAT(calls.names,
              ElementsAre("run_started", "connection_opened", "begun 1", "resource", "lag",
                          "ended 1", "connection_ended", "client_ended", "run_ended"));
}

TEST(Recorder, finished_run_has_everything_in_order_of_ids) {
  journal::Run start;
  start.number = 3;
  Recorder recorder(start, {}, nullptr);
  recorder.begin(begun(2));
  recorder.begin(begun(1));
  recorder.find(1)->executed = true;
  recorder.end(1);
  recorder.add(Resource{.kind = "payment", .attempt = 1});
  const journal::Run run = recorder.finish(at(50), 4);
  EXPECT_THAT(ids(run), ElementsAre(1, 2));
  EXPECT_EQ(run.attempts[0].run, 3u);
  EXPECT_TRUE(run.attempts[0].executed);
  EXPECT_EQ(run.attempts[1].delivered.ending, Ending::pending);
  EXPECT_EQ(run.resources[0].run, 3u);
  EXPECT_EQ(run.steps_unused, 4u);
  EXPECT_EQ(run.ended, at(50));
}

TEST(Recorder, snapshot_leaves_the_record_as_it_is) {
  Recorder recorder({}, {}, nullptr);
  recorder.begin(begun(1));
  EXPECT_THAT(ids(recorder.snapshot()), ElementsAre(1));
  EXPECT_THAT(ids(recorder.finish(at(1), 0)), ElementsAre(1));
}

TEST(Recorder, what_lasts_is_kept_whole) {
  Recorder recorder({}, {}, nullptr);
  auto lasting = begun(1);
  lasting->head = "GET /stall HTTP/1.1\r\nHost: x\r\n\r\n";
  lasting->planned.faults = {"stall at response_start"};
  lasting->planned.step = "/routes/0/script/0";
  recorder.begin(std::move(lasting), true);
  recorder.begin(begun(2), true);
  EXPECT_EQ(recorder.snapshot().attempts[0].planned.step, "/routes/0/script/0");
  Attempt* const found = recorder.find(1);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->head, "GET /stall HTTP/1.1\r\nHost: x\r\n\r\n");
  found->delivered.ending = Ending::peer_left;
  EXPECT_EQ(recorder.snapshot().attempts[0].delivered.ending, Ending::peer_left);
  recorder.end(1);
  const journal::Run run = recorder.finish(at(9), 0);
  EXPECT_THAT(ids(run), ElementsAre(1, 2));
  EXPECT_EQ(run.attempts[0].delivered.ending, Ending::peer_left);
  EXPECT_THAT(run.attempts[0].planned.faults, ElementsAre("stall at response_start"));
  EXPECT_EQ(run.attempts[1].delivered.ending, Ending::pending);
}

TEST(Recorder, over_the_limit_drops_what_ended_first_and_counts_it) {
  Recorder recorder({}, {.entries = 2}, nullptr);
  recorder.begin(begun(1));  // never ends
  for (AttemptId id = 2; id <= 5; ++id) {
    recorder.begin(begun(id));
    recorder.end(id);
  }
  EXPECT_EQ(recorder.find(2), nullptr);
  const journal::Run run = recorder.finish(at(9), 0);
  EXPECT_THAT(ids(run), ElementsAre(1, 5));
  EXPECT_EQ(run.dropped_attempts, 3u);
  EXPECT_EQ(run.attempts_begun, 5u);
}

TEST(Recorder, never_drops_what_is_still_going_on) {
  Recorder recorder({}, {.entries = 1}, nullptr);
  for (AttemptId id = 1; id <= 3; ++id) recorder.begin(begun(id));
  EXPECT_EQ(recorder.finish(at(9), 0).dropped_attempts, 0u);
}

TEST(Recorder, limits_bytes_by_what_strings_take) {
  Recorder recorder({}, {.entries = 100, .bytes = 20'000}, nullptr);
  for (AttemptId id = 1; id <= 3; ++id) {
    Attempt large = attempt(id);
    large.head = std::string(8'000, 'h');
    recorder.begin(std::make_unique<Attempt>(large));
    recorder.end(id);
  }
  EXPECT_THAT(ids(recorder.finish(at(9), 0)), ElementsAre(2, 3));
}

TEST(Recorder, ended_connections_are_bounded_and_counted) {
  Recorder recorder({}, {.entries = 2}, nullptr);
  for (ConnectionId id = 1; id <= 5; ++id) {
    recorder.open({.id = id});
    recorder.end_connection(id);
  }
  const journal::Run run = recorder.finish(at(9), 0);
  EXPECT_EQ(run.connections.size(), 2u);
  EXPECT_EQ(run.connections_opened, 5u);
  EXPECT_EQ(run.dropped_connections, 3u);
}

TEST(Recorder, very_many_lags_are_merged_and_still_cover_every_instant) {
  Recorder recorder({}, {}, nullptr);
  constexpr int kCount = 25'001;
  for (int i = 1; i <= kCount; ++i) recorder.add(Lag{at(10 * i), milliseconds(2)});
  const journal::Run run = recorder.finish(at(10 * kCount), 0);
  EXPECT_LE(run.lags.size(), 10'000u);
  std::size_t next = 0;
  for (int i = 1; i <= kCount; ++i) {
    while (next < run.lags.size() && run.lags[next].at < at(10 * i)) ++next;
    ASSERT_LT(next, run.lags.size()) << i;
    ASSERT_LE(run.lags[next].at - run.lags[next].late, at(10 * i - 2)) << i;
  }
}

}  // namespace
}  // namespace retrylab::journal
