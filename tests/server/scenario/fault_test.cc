// SPDX-License-Identifier: MIT
// Faults: how they are called, what they do on the wire, and at which moments they can stand.
#include "server/scenario/faults/fault.h"

#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "server/scenario/load.h"
#include "server/scenario/words.h"
#include "tests/server/scenario/loading.h"

namespace retrylab::scenario {
namespace {

using std::chrono::seconds;

TEST(Fault, is_described_as_the_reports_say_it) {
  struct Row {
    std::string json;
    std::string text;
  };
  const std::vector<Row> rows{
      {R"({"do": "reset", "at": "response_start"})", "reset at response_start"},
      {R"({"do": "close", "at": {"body_byte": 3}})", "close at body_byte 3"},
      {R"({"do": "half_close", "at": {"response_byte": 7}})", "half_close at response_byte 7"},
      {R"({"do": "stall", "at": "response_headers"})", "stall at response_headers"},
      {R"({"do": "stall", "at": "request_end", "for": "5s"})", "stall 5s at request_end"},
      {R"({"do": "garbage", "at": "response_start", "bytes": "abc"})",
       "garbage 3B at response_start"},
      {R"({"do": "garbage", "at": "response_end", "size": "2KB"})",
       "garbage 2000B at response_end"},
      {R"({"do": "leave_unread", "at": {"request_byte": 9}})", "leave_unread at request_byte 9"},
      {R"({"do": "unsolicited", "at": {"idle": "1s"}})", "unsolicited at idle 1s"},
      {R"({"do": "close", "at": "next_request"})", "close at next_request"}};
  for (const Row& row : rows) {
    const Step step =
        loaded_step(R"({"status": 200, "body": "abcdef", "fault": )" + row.json + "}");
    ASSERT_EQ(step.faults.size(), 1U) << row.json;
    EXPECT_EQ(step.faults[0].text, row.text);
    EXPECT_EQ(describe(step.faults[0]), row.text);
  }
}

std::string moment_json(Moment moment) {
  switch (moment) {
    case Moment::request_byte:
    case Moment::response_byte:
    case Moment::body_byte:
      return fmt::format(R"({{"{}": 1}})", word(moment));
    case Moment::idle:
      return R"({"idle": "1s"})";
    case Moment::accept:
    case Moment::request_start:
    case Moment::request_headers:
    case Moment::request_end:
    case Moment::response_start:
    case Moment::response_headers:
    case Moment::response_end:
    case Moment::next_request:
      break;
  }
  return fmt::format("\"{}\"", word(moment));
}

// The moments at which a file may write this effect, on a step or in `connections`.
std::string moments_of(const std::string& effect, bool in_connections) {
  std::string moments;
  for (const Word<Moment>& moment : moment_words()) {
    const std::string fault =
        fmt::format(R"({{"do": {}, "at": {}}})", effect, moment_json(moment.value));
    const std::string text =
        in_connections ? fmt::format(R"({{"name": "x", "connections": [{{"fault": {}}}],
                              "routes": [{{"on": "GET /", "script": [200]}}]}})",
                                     fault)
                       : fmt::format(R"({{"name": "x", "routes": [{{"on": "GET /", "script": [
                              {{"status": 200, "body": "a", "fault": {}}}]}}]}})",
                                     fault);
    if (load(text, nullptr)) moments += fmt::format(" {}", moment.word);
  }
  return moments;
}

TEST(Fault, stands_at_the_moments_of_its_effect_and_at_no_other) {
  const std::string reading = " request_headers request_byte request_end";
  const std::string writing =
      " response_start response_byte response_headers body_byte response_end";
  const std::string kept_alive = " idle next_request";
  const std::string connection = " accept request_start";
  struct Row {
    std::string effect;
    std::string on_step;
    std::string in_connections;
  };
  const std::vector<Row> rows{{R"("close")", reading + writing + kept_alive, connection},
                              {R"("half_close")", reading + writing, connection},
                              {R"("reset")", reading + writing + kept_alive, connection},
                              {R"("stall")", reading + writing, connection},
                              {R"("garbage", "size": "1B")", reading + writing, connection},
                              {R"("leave_unread")", " request_headers request_byte", ""},
                              {R"("unsolicited")", kept_alive, ""},
                              {R"("swallow")", " request_headers request_byte", ""}};
  ASSERT_EQ(rows.size(), std::variant_size_v<Effect>);
  for (const Row& row : rows) {
    EXPECT_EQ(moments_of(row.effect, false), row.on_step) << row.effect;
    EXPECT_EQ(moments_of(row.effect, true), row.in_connections) << row.effect;
  }
}

TEST(Fault, becomes_the_wire_actions_of_its_effect) {
  Random random(1);
  EXPECT_TRUE(std::holds_alternative<wire::Reset>(actions(ResetEffect{}, random).at(0)));
  EXPECT_TRUE(
      std::holds_alternative<wire::ShutdownWrite>(actions(HalfCloseEffect{}, random).at(0)));
  EXPECT_TRUE(actions(LeaveUnreadEffect{}, random).empty());
  const auto close = std::get<wire::Close>(actions(CloseEffect{}, random).at(0));
  EXPECT_FALSE(close.staged);
  EXPECT_TRUE(close.discard_unread) << "unread bytes would turn the FIN into an RST";
  EXPECT_EQ(std::get<wire::Hold>(actions(StallEffect{}, random).at(0)).time, std::nullopt);
  EXPECT_EQ(std::get<wire::Hold>(actions(StallEffect{seconds(5)}, random).at(0)).time, seconds(5));
  const auto garbage = std::get<wire::Write>(actions(GarbageEffect{"abc", 0}, random).at(0));
  EXPECT_EQ(garbage.bytes.view(), "abc");
  const auto answer = std::get<wire::Write>(actions(UnsolicitedEffect{"408"}, random).at(0));
  EXPECT_EQ(answer.bytes.view(), "408");
}

TEST(Fault, garbage_of_a_size_comes_from_the_stream_it_is_given) {
  const auto draw = [](std::uint64_t seed) {
    Random random(seed);
    return std::string(
        std::get<wire::Write>(actions(GarbageEffect{"", 64}, random).at(0)).bytes.view());
  };
  EXPECT_EQ(draw(1).size(), 64U);
  EXPECT_EQ(draw(1), draw(1));
  EXPECT_NE(draw(1), draw(2));
}

TEST(Fault, only_close_reset_and_an_endless_stall_end_the_connection) {
  EXPECT_TRUE(ends_connection(CloseEffect{}));
  EXPECT_TRUE(ends_connection(ResetEffect{}));
  EXPECT_TRUE(ends_connection(StallEffect{}));
  EXPECT_FALSE(ends_connection(StallEffect{seconds(1)}));
  EXPECT_FALSE(ends_connection(HalfCloseEffect{}));
  EXPECT_FALSE(ends_connection(GarbageEffect{"a", 0}));
  EXPECT_FALSE(ends_connection(LeaveUnreadEffect{}));
  EXPECT_FALSE(ends_connection(UnsolicitedEffect{}));
}

TEST(Fault, every_moment_has_one_word_and_the_words_follow_the_order_of_time) {
  std::set<std::string_view> words;
  int before = -1;
  for (const Word<Moment>& moment : moment_words()) {
    EXPECT_TRUE(words.insert(moment.word).second);
    EXPECT_GT(static_cast<int>(moment.value), before);
    before = static_cast<int>(moment.value);
  }
  EXPECT_EQ(before, static_cast<int>(Moment::next_request));
}

}  // namespace
}  // namespace retrylab::scenario
