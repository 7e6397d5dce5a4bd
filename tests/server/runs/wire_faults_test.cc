// SPDX-License-Identifier: MIT
// Each effect at each moment of an answer, and whether the journal says that it was delivered.
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/net/raw_client.h"
#include "tests/server/runs/wire.h"

namespace retrylab::runs {
namespace {

using testing::StartsWith;

struct Cell {
  std::string_view name;
  std::string_view step;
  std::string request;
  std::string bytes;  // all that is received, Date left out
  Seen end = Seen::fin;
};

class fault_on_the_wire : public testing::TestWithParam<Cell> {};

TEST_P(fault_on_the_wire, is_what_the_kernel_sees) {
  const Cell& cell = GetParam();
  Running running(scenario_of(cell.step));
  RawClient client(running.url());
  client.send(cell.request);
  const Received received = cell.end == Seen::nothing
                                ? client.receive_until_silent(cell.bytes.size())
                                : client.receive_all();
  EXPECT_EQ(without_date(received.bytes), cell.bytes);
  EXPECT_EQ(received.end, cell.end);
  client.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.attempts.size(), 1u);
  EXPECT_TRUE(run.attempts[0].delivered.faults_delivered);
  EXPECT_FALSE(run.attempts[0].planned.faults.empty());
}

std::vector<Cell> table() {
  static std::vector<std::string> texts;  // the steps that the cells view
  texts.reserve(200);
  struct Moment {
    std::string_view name;
    std::string_view json;
    std::string before;  // what is received before the effect
  };
  const std::vector<Moment> moments{
      {"request_headers", R"("request_headers")", ""},
      {"request_byte", R"({"request_byte": 2})", ""},
      {"request_end", R"("request_end")", ""},
      {"response_start", R"("response_start")", ""},
      {"response_byte", R"({"response_byte": 12})", kOk.substr(0, 12)},
      {"response_headers", R"("response_headers")", kHead},
      {"body_byte", R"({"body_byte": 2})", kHead + "he"},
      {"response_end", R"("response_end")", kHead + "hello"}};
  std::vector<Cell> cells;
  const auto add = [&](std::string name, std::string step, std::string bytes, Seen end) {
    texts.push_back(std::move(name));
    const std::string_view kept = texts.back();
    texts.push_back(std::move(step));
    cells.push_back({kept, texts.back(), kPost, std::move(bytes), end});
  };
  for (const Moment& moment : moments) {
    const std::string at = "_at_" + std::string(moment.name);
    add("close" + at, doing("close", moment.json), moment.before, Seen::fin);
    add("half_close" + at, doing("half_close", moment.json), moment.before, Seen::fin);
    add("stall" + at, doing("stall", moment.json), moment.before, Seen::nothing);
    const bool early = moment.before.empty();
    if (early) add("reset" + at, doing("reset", moment.json), "", Seen::rst);
    const std::string rest = (kHead + "hello").substr(moment.before.size());
    add("garbage" + at,
        fmt::format(R"({{"status": 200, "body": "hello", "headers": {{"Connection": "close"}},
            "fault": {{"do": "garbage", "bytes": "#!", "at": {}}}}})",
                    moment.json),
        "", Seen::fin);
    const std::string closing = kOk + "Connection: close\r\n" + kText + "Content-Length: 5\r\n\r\n";
    const std::string whole = closing + "hello";
    std::size_t cut = moment.before.size();
    if (moment.name == "response_headers") cut = closing.size();
    if (moment.name == "body_byte") cut = closing.size() + 2;
    if (moment.name == "response_end") cut = whole.size();
    cells.back().bytes = whole.substr(0, cut) + "#!" + whole.substr(cut);
  }
  return cells;
}

INSTANTIATE_TEST_SUITE_P(table, fault_on_the_wire, testing::ValuesIn(table()),
                         [](const auto& row) { return std::string(row.param.name); });

// A kernel may throw away what its client has not read when an RST comes: the bytes before it are
// seen because the stall lets the client read them.
TEST(reset_inside_an_answer, comes_behind_the_bytes_before_it) {
  for (const auto& [moment, before] : std::vector<std::pair<std::string, std::string>>{
           {R"({"response_byte": 12})", "HTTP/1.1 200"},
           {R"("response_headers")", kHead},
           {R"({"body_byte": 2})", kHead + "he"},
           {R"("response_end")", kHead + "hello"}}) {
    Running running(scenario_of(fmt::format(
        R"({{"status": 200, "body": "hello", "headers": {{"Date": "D"}},
             "fault": [{{"do": "stall", "for": "50ms", "at": {0}}},
                       {{"do": "reset", "at": {0}}}]}})",
        moment)));
    RawClient client(running.url());
    client.send(kGet);
    const Received received = client.receive_all();
    EXPECT_EQ(without_date(received.bytes).substr(0, before.size()), before) << moment;
    EXPECT_EQ(received.end, Seen::rst) << moment;
  }
}

// The kernels hold far less than a megabyte: sending comes to an end only because it is read.
TEST(swallow, reads_the_whole_request_and_says_nothing) {
  Running running(scenario_of(R"({"fault": {"do": "swallow", "at": "request_headers"}})"));
  RawClient client(running.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n" +
              std::string(10'000'000, 'b'));
  EXPECT_TRUE(client.silent());
  client.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  EXPECT_GT(run.connections.at(0).bytes_received, 10'000'000u);
  EXPECT_TRUE(run.attempts.at(0).delivered.faults_delivered);
}

TEST(leave_unread, answers_early_and_keeps_the_connection_for_what_is_to_come) {
  Running running(
      scenario_of(R"({"status": 413, "fault": {"do": "leave_unread", "at": "request_headers"}})"));
  RawClient client(running.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\nbody");
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 413 Content Too Large\r\n"));
  client.send("rest" + kGet);
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

// The answer arrives; then the RST that a kernel sends when unread bytes are thrown away.
TEST(leave_unread, with_connection_close_ends_with_an_rst) {
  Running running(scenario_of(R"({"status": 413, "headers": {"Connection": "close"},
      "fault": [{"do": "leave_unread", "at": {"request_byte": 10}},
                {"do": "stall", "for": "50ms", "at": "response_end"}]})"));
  RawClient client(running.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n" +
              std::string(250'000, 'b'));
  const Received received = client.receive_all();
  EXPECT_THAT(received.bytes, StartsWith("HTTP/1.1 413 Content Too Large\r\n"));
  EXPECT_EQ(received.end, Seen::rst);
}

}  // namespace
}  // namespace retrylab::runs
