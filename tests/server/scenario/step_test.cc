// SPDX-License-Identifier: MIT
// What a step of the file becomes as a value.
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/scenario/loading.h"

namespace retrylab::scenario {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(Step, a_number_is_short_for_its_status) {
  const Step step = loaded_step("503");
  EXPECT_EQ(step.status, 503);
  EXPECT_EQ(step.where, "/routes/0/script/0");
  EXPECT_EQ(step.times, 1U);
  EXPECT_FALSE(step.body || step.delay || step.retry_after || step.executes || step.lasts);
}

TEST(Step, headers_keep_their_order_and_case_in_both_forms) {
  const auto names = [](const Step& step) {
    std::vector<std::string> lines;
    for (const HeaderTemplate& header : step.headers) {
      lines.push_back(header.name + ": " + header.value.literal());
    }
    return lines;
  };
  EXPECT_THAT(names(loaded_step(R"({"status": 200, "headers": {"x-B": "1", "X-a": "2"}})")),
              testing::ElementsAre("x-B: 1", "X-a: 2"));
  EXPECT_THAT(
      names(loaded_step(R"({"status": 200, "headers": [["A", "1"], ["a", "2"], ["A", "1"]]})")),
      testing::ElementsAre("A: 1", "a: 2", "A: 1"));
}

TEST(Step, retry_after_is_a_wait_or_a_date_in_one_of_three_forms) {
  const auto read = [](const std::string& value) {
    return *loaded_step(R"({"status": 429, "retry_after": )" + value + "}").retry_after;
  };
  EXPECT_EQ(read(R"("1500ms")").wait, milliseconds(1500));
  EXPECT_EQ(read(R"("1500ms")").date, std::nullopt);
  EXPECT_EQ(read(R"({"date": "+5s"})").wait, seconds(5));
  EXPECT_EQ(read(R"({"date": "+5s"})").date, DateFormat::imf);
  EXPECT_EQ(read(R"({"date": "-30m", "format": "rfc850"})").wait, -minutes(30));
  EXPECT_EQ(read(R"({"date": "-30m", "format": "rfc850"})").date, DateFormat::rfc850);
  EXPECT_EQ(read(R"({"date": "+0s", "format": "asctime"})").date, DateFormat::asctime);
}

TEST(Step, each_kind_of_body_knows_its_type_and_size) {
  struct Row {
    std::string members;
    std::string type;
    std::optional<std::uint64_t> size;
    std::string begins;
  };
  const std::vector<Row> rows{
      {R"("body": "hello")", "text/plain; charset=utf-8", 5, "hello"},
      {R"("body": "")", "text/plain; charset=utf-8", 0, ""},
      {R"("json": {"a": [1, "b"]})", "application/json", 13, R"({"a":[1,"b"]})"},
      {R"("body_size": "64B")", "application/octet-stream", 64, "retrylab filler"},
      {R"("body_file": "a.json")", "application/json", 21, "the content of a.json"},
      {R"("body_file": "a.bin")", "application/octet-stream", 20, "the content of a.bin"},
      {R"("body": "{{attempt}}")", "text/plain; charset=utf-8", std::nullopt, ""}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.members);
    const Step step = loaded_step(R"({"status": 200, )" + row.members + "}");
    ASSERT_TRUE(step.body);
    EXPECT_EQ(step.body->content_type, row.type);
    EXPECT_EQ(step.body->size(), row.size);
    if (!row.size) continue;
    const std::string bytes = step.body->bytes ? *step.body->bytes : step.body->text->literal();
    EXPECT_EQ(bytes.substr(0, row.begins.size()), row.begins);
  }
}

TEST(Step, delays_are_values_of_their_kind) {
  const auto read = [](const std::string& value) {
    return *loaded_step(R"({"status": 200, "delay": )" + value + "}").delay;
  };
  EXPECT_EQ(std::get<FixedDelay>(read(R"("15s")")).time, seconds(15));
  EXPECT_EQ(std::get<FixedDelay>(read(R"({"fixed": "15s"})")).time, seconds(15));
  const auto uniform = std::get<UniformDelay>(read(R"({"uniform": {"min": "1s", "max": "2s"}})"));
  EXPECT_EQ(uniform.min, seconds(1));
  EXPECT_EQ(uniform.max, seconds(2));
  const auto lognormal = std::get<LognormalDelay>(
      read(R"({"lognormal": {"median": "200ms", "sigma": 0.5, "max": "5s"}})"));
  EXPECT_EQ(lognormal.median, milliseconds(200));
  EXPECT_EQ(lognormal.sigma_thousandths, 500);
  EXPECT_EQ(lognormal.max, seconds(5));
  const auto barrier = std::get<BarrierDelay>(read(R"({"until": {"waiting": 50}, "max": "20s"})"));
  EXPECT_EQ(barrier.waiting, 50U);
  EXPECT_EQ(barrier.max, seconds(20));
}

TEST(Step, the_way_of_writing_is_kept) {
  const Step step = loaded_step(
      R"({"status": 200, "reason": "Fine", "framing": "chunked", "chunks": [1, 5],
          "write_sizes": [3], "pace": [{"part": "head", "bytes": 2, "every": "10ms"},
                                       {"bytes": 7, "every": "1s"}]})");
  EXPECT_EQ(step.reason, "Fine");
  EXPECT_EQ(step.framing.kind, Framing::Kind::chunked);
  EXPECT_THAT(step.framing.chunks, testing::ElementsAre(1, 5));
  EXPECT_THAT(step.write_sizes, testing::ElementsAre(3));
  ASSERT_EQ(step.pace.size(), 2U);
  EXPECT_EQ(step.pace[0].part, Pace::Part::head);
  EXPECT_EQ(step.pace[1].part, Pace::Part::body);
  EXPECT_EQ(step.pace[1].bytes, 7U);
  EXPECT_EQ(step.pace[1].every, seconds(1));
}

TEST(Step, execution_is_said_or_left_to_the_status) {
  EXPECT_EQ(loaded_step("201").executes, std::nullopt);
  EXPECT_EQ(std::get<bool>(*loaded_step(R"({"status": 201, "executes": false})").executes), false);
  const Step lost = loaded_step(
      R"({"status": 504, "executes": {"status": 201, "headers": {"X-A": "1"}, "json": {"a": 1}}})");
  const auto& answer = std::get<ExecutedAnswer>(*lost.executes);
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(answer.headers.at(0).name, "X-A");
  EXPECT_EQ(answer.body.text->literal(), R"({"a":1})");
  EXPECT_TRUE(loaded_step(R"({"status": 201, "delay": "1s", "executes_at": "after_delay"})")
                  .executes_after_delay);
  EXPECT_FALSE(
      loaded_step(R"({"status": 201, "executes_at": "before_delay"})").executes_after_delay);
}

TEST(Step, turns_are_a_count_a_time_or_a_chance) {
  EXPECT_EQ(loaded_step(R"({"status": 503, "times": 3})").times, 3U);
  EXPECT_EQ(loaded_step(R"({"status": 503, "for": "5s"})").lasts, seconds(5));
  const Step until =
      loaded_step(R"({"status": 503, "retry_after": "1s", "for": "until_retry_after"})");
  EXPECT_TRUE(until.lasts_until_retry_after);
  EXPECT_EQ(until.lasts, std::nullopt);
  const Step chance = loaded_step(R"({"status": 503, "chance": "3/20", "else": {"status": 200}})");
  EXPECT_EQ(chance.chance, (Ratio{3, 20}));
  ASSERT_NE(chance.otherwise, nullptr);
  EXPECT_EQ(chance.otherwise->status, 200);
  EXPECT_EQ(chance.otherwise->where, "/routes/0/script/0/else");
  EXPECT_EQ(loaded_step(R"({"status": 503, "chance": 0.15, "else": 200})").chance,
            (Ratio{150'000, 1'000'000}));
}

TEST(Step, may_do_without_a_status_when_its_answer_never_begins) {
  const Step step = loaded_step(R"({"fault": {"do": "reset", "at": "request_end"}})");
  EXPECT_EQ(step.status, std::nullopt);
  ASSERT_EQ(step.faults.size(), 1U);
}

}  // namespace
}  // namespace retrylab::scenario
