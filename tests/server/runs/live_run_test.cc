// SPDX-License-Identifier: MIT
// Whole runs over loopback: scenario text in, journal out.
#include "server/runs/live_run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/runs/loop.h"
#include "tests/server/net/raw_client.h"
#include "tests/server/runs/running.h"

namespace retrylab::runs {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kPost = "POST /pay HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody";

TEST(LiveRun, script_is_answered_and_journalled) {
  Running running(R"({"name": "t", "routes": [{"on": "POST /pay", "script": [503, 201]}]})",
                  {.number = 3, .seed = 7});
  RawClient client(running.url());
  client.send(kPost);
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 503 Service Unavailable\r\n"));
  client.send(kPost);
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 201 Created\r\n"));
  const journal::Run run = running.run->stop();

  EXPECT_EQ(run.number, 3u);
  EXPECT_EQ(run.seed, 7u);
  EXPECT_EQ(run.scenario_name, "t");
  ASSERT_EQ(run.attempts.size(), 2u);
  const journal::Attempt& first = run.attempts[0];
  EXPECT_EQ(first.connection, 1u);
  EXPECT_EQ(first.method, "POST");
  EXPECT_EQ(first.head, kPost.substr(0, kPost.size() - 4));
  EXPECT_EQ(first.body_bytes, 4u);
  EXPECT_EQ(first.planned.status, 503);
  EXPECT_EQ(first.delivered.ending, journal::Ending::delivered);
  EXPECT_LE(first.first_byte, first.head_read);
  EXPECT_LE(first.head_read, *first.body_read);
  EXPECT_LE(*first.body_read, *first.delivered.r_min);
  EXPECT_LT(*first.delivered.r_min, *first.delivered.r_max);
  EXPECT_EQ(run.attempts[1].number_on_connection, 2u);
  ASSERT_EQ(run.connections.size(), 1u);
  EXPECT_EQ(run.connections[0].requests, 2u);
  EXPECT_EQ(run.connections[0].bytes_received, 2 * kPost.size());
  EXPECT_TRUE(run.zero);
}

TEST(LiveRun, sixty_clients_claim_a_thousand_steps_once_each) {
  std::string script;
  for (int i = 0; i < 1'000; ++i) {
    script += (i == 0 ? "" : ",") + std::string(R"({"status": 200, "body": "step )") +
              std::to_string(i) + R"("})";
  }
  Running running(
      R"({"name": "t", "routes": [{"on": "GET /", "after_script": "fail", "script": [)" + script +
      "]}]}");
  std::vector<std::vector<std::string>> answers(60);
  std::atomic<int> left = 1'000;
  std::vector<std::thread> clients;
  for (auto& mine : answers) {
    clients.emplace_back([&] {
      RawClient client(running.url());
      while (left-- > 0) {
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        const std::string answer = client.answer();
        mine.push_back(answer.substr(answer.find("\r\n\r\n") + 4));
      }
    });
  }
  for (auto& client : clients) client.join();

  std::map<std::string, int> seen;
  for (const auto& mine : answers) {
    for (const auto& body : mine) ++seen[body];
  }
  EXPECT_EQ(seen.size(), 1'000u);
  for (int i = 0; i < 1'000; ++i) EXPECT_EQ(seen["step " + std::to_string(i)], 1) << i;
  EXPECT_EQ(running.run->stop().attempts.size(), 1'000u);
}

TEST(LiveRun, listeners_of_a_herd_share_the_script) {
  Running running(R"({"name": "t", "routes": [{"on": "POST /pay", "script": [503, 201]}]})",
                  {.listeners = 2, .one_process = false, .processes = 2});
  ASSERT_EQ(running.run->urls().size(), 2u);
  RawClient one(running.run->urls()[0]);
  one.send(kPost);
  EXPECT_THAT(one.answer(), HasSubstr("503"));
  RawClient two(running.run->urls()[1]);
  two.send(kPost);
  EXPECT_THAT(two.answer(), HasSubstr("201"));
  const journal::Run run = running.run->stop();
  EXPECT_EQ(run.attempts[0].listener, 0u);
  EXPECT_EQ(run.attempts[1].listener, 1u);
  EXPECT_EQ(run.processes, 2u);
}

TEST(LiveRun, reset_after_execution_counts_the_resource) {
  Running running(R"({"name": "t", "routes": [{"on": "POST /pay", "creates": "payment",
      "script": [{"status": 201, "fault": {"do": "reset", "at": "response_start"}}]}]})");
  RawClient client(running.url());
  client.send(kPost);
  const Received received = client.receive_all();
  EXPECT_EQ(received.bytes, "");
  EXPECT_EQ(received.end, Seen::rst);
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.attempts.size(), 1u);
  EXPECT_TRUE(run.attempts[0].executed);
  EXPECT_TRUE(run.attempts[0].delivered.faults_delivered);
  EXPECT_EQ(run.resources.size(), 1u);
}

TEST(LiveRun, client_that_gives_up_is_recorded_with_its_instant) {
  Running running(
      R"({"name": "t", "routes": [{"on": "POST /pay", "script": [{"status": 200, "delay": "1h"}]}]})");
  RawClient client(running.url());
  client.send(kPost);
  EXPECT_TRUE(client.silent());
  client.close();
  while (!running.run->snapshot().connections.at(0).closed) std::this_thread::yield();
  const journal::Run run = running.run->stop();
  EXPECT_EQ(run.attempts[0].delivered.ending, journal::Ending::peer_left);
  EXPECT_FALSE(run.attempts[0].delivered.peer_reset);
  EXPECT_GT(*run.attempts[0].delivered.peer_left, *run.attempts[0].body_read);
}

TEST(LiveRun, stop_leaves_what_is_under_way_pending) {
  Running running(
      R"({"name": "t", "routes": [{"on": "POST /pay", "script": [{"status": 200, "delay": "1h"}]}]})");
  RawClient client(running.url());
  client.send(kPost);
  EXPECT_TRUE(client.silent());
  const journal::Run run = running.run->stop();
  EXPECT_EQ(client.receive_all().end, Seen::fin);
  ASSERT_EQ(run.attempts.size(), 1u);
  EXPECT_EQ(run.attempts[0].delivered.ending, journal::Ending::pending);
}

TEST(LiveRun, port_in_use_is_a_machine_error) {
  const std::string text = R"({"name": "t", "routes": [{"on": "GET /", "script": [200]}]})";
  Running running(text);
  const std::string port = running.url().substr(running.url().rfind(':') + 1);
  const auto second = LiveRun::start(running.scenario, running.loop,
                                     {.port = static_cast<std::uint16_t>(std::stoi(port))});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::machine);
  EXPECT_EQ(second.error().where, "127.0.0.1:" + port);
}

TEST(LiveRun, late_loop_is_recorded_in_every_run_on_it) {
  const std::string text = R"({"name": "t", "routes": [{"on": "GET /", "script": [200]}]})";
  Running running(text);
  auto second = LiveRun::start(running.scenario, running.loop, {});
  ASSERT_TRUE(second);
  constexpr auto kStarved = std::chrono::milliseconds(30);
  running.loop.impl().call([&] { std::this_thread::sleep_for(kStarved); });
  running.loop.impl().call([&] {});
  for (LiveRun* run : {running.run.get(), second->get()}) {
    while (run->snapshot().lags.empty()) std::this_thread::yield();
    const auto lags = run->stop().lags;
    EXPECT_GT(lags.at(0).late, std::chrono::milliseconds(1));
  }
}

// Notes what was handed over and what was written out, in order.
class GatheringSink final : public journal::Sink {
 public:
  void run_started(const journal::Run&) override {}
  void connection_opened(const journal::Connection&) override {}
  void connection_ended(const journal::Connection&) override {}
  void begun(const journal::Attempt& attempt) override { ++gathered_[attempt.id]; }
  void ended(const journal::Attempt& attempt) override {
    if (!written_.contains(attempt.id)) ++answered_unwritten;
  }
  void resource(const journal::Resource&) override {}
  void lag(const journal::Lag&) override {}
  void client_ended(const journal::ClientEnd&) override {}
  void run_ended(const journal::Run&) override {}
  void write_out() {
    ++writes;
    written_ = gathered_;
  }

  int writes = 0;
  int answered_unwritten = 0;

 private:
  std::map<journal::AttemptId, int> gathered_;
  std::map<journal::AttemptId, int> written_;
};

TEST(LiveRun, begun_records_are_written_out_before_their_answers) {
  GatheringSink sink;
  Running running(R"({"name": "t", "routes": [{"on": "POST /pay", "script": [200]}]})",
                  {.sink = &sink, .write_out = [&] { sink.write_out(); }});
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 20; ++i) clients.push_back(std::make_unique<RawClient>(running.url()));
  while (running.run->snapshot().connections.size() < clients.size()) {
  }
  running.loop.impl().call([&] {  // all are ready in one turn
    sink.writes = 0;
    for (auto& client : clients) client->send(kPost);
  });
  for (auto& client : clients) EXPECT_THAT(client->answer(), StartsWith("HTTP/1.1 200"));
  running.run->stop();
  EXPECT_EQ(sink.answered_unwritten, 0);
  EXPECT_LT(sink.writes, 20);
}

TEST(LiveRun, client_end_is_stamped_on_the_clock_of_the_run) {
  Running running(R"({"name": "t", "routes": [{"on": "GET /", "script": [200]}]})");
  running.run->client_ended({.exit_code = 4});
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.clients.size(), 1u);
  EXPECT_EQ(run.clients[0].exit_code, 4);
  EXPECT_LE(*run.clients[0].ended, *run.ended);
}

}  // namespace
}  // namespace retrylab::runs
