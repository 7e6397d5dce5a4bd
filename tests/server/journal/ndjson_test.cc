// SPDX-License-Identifier: MIT
#include "server/journal/ndjson.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace retrylab::journal {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using JournalRun = journal::Run;

Instant at(int ms) {
  return Instant(milliseconds(ms));
}

std::string all_bytes() {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes.push_back(static_cast<char>(byte));
  return bytes;
}

Attempt full_attempt() {
  Attempt attempt{.id = 7,
                  .run = 2,
                  .connection = 3,
                  .number_on_connection = 4,
                  .listener = 1,
                  .client = "127.0.0.1",
                  .first_byte = at(10),
                  .first_byte_from_kernel = true,
                  .head_read = at(11),
                  .body_read = at(12),
                  .method = "POST",
                  .target = "/v1/payments?a=\"b\"",
                  .head = "POST / HTTP/1.1\r\nX: " + all_bytes() + "\r\n\r\n",
                  .body_bytes = 5,
                  .body_sha256 = sha256("hello"),
                  .operation = "op-1",
                  .key = "k\xff",
                  .route_has_store = true,
                  .executed = true,
                  .replayed = true,
                  .resource = "payment-1"};
  attempt.planned = {.source = Source::replay,
                     .route = "POST /v1/payments",
                     .step = "/routes/0/script/1",
                     .status = 429,
                     .retry_after = {"2", "soon"},
                     .location = "/elsewhere",
                     .delay = milliseconds(250),
                     .faults = {"reset at response_start"},
                     .complete = false,
                     .connection_close = true,
                     .should_retry_false = true,
                     .hints = {{"retry-after-ms", "300"}, {"x-should-retry", "true"}},
                     .near_misses = {"GET /: the method is POST"},
                     .note = "bare LF"};
  attempt.delivered = {.ending = Ending::peer_left,
                       .r_min = at(13),
                       .r_max = at(14),
                       .bytes = 99,
                       .faults_delivered = false,
                       .peer_left = at(15),
                       .peer_reset = true,
                       .ended = at(16)};
  return attempt;
}

JournalRun full_run() {
  JournalRun run;
  run.number = 2;
  run.seed = 18'446'744'073'709'551'615U;
  run.scenario_name = "name";
  run.command = "retrylab run name";
  run.scenario_hash = "0123456789abcdef";
  run.wall_origin = WallTime(Duration(1'795'000'000'123'456'789));
  run.zero = at(9);
  run.one_process = false;
  run.processes = 3;
  run.connections.push_back({.id = 3,
                             .run = 2,
                             .listener = 1,
                             .client = "127.0.0.1",
                             .accepted = at(9),
                             .bytes_received = 500,
                             .requests = 4,
                             .planned_faults = {"reset at accept"},
                             .faults_delivered = false,
                             .closed = at(17),
                             .closed_by = Connection::ClosedBy::peer_reset,
                             .note = "TLS alert of the client: unknown CA"});
  run.attempts.push_back(full_attempt());
  run.attempts.push_back({.id = 8, .run = 2, .first_byte = at(20)});
  run.resources.push_back({"payment", "payment-1", 7, 2, "k\xff", at(12)});
  run.lags.push_back({at(18), milliseconds(3)});
  run.clients.push_back({.process = 2,
                         .exit_code = 0,
                         .signal = 9,
                         .outcome = ClientEnd::Outcome::hung,
                         .declared = true,
                         .status = 201,
                         .body_sha256 = "ab",
                         .reason = "deadline",
                         .ended = at(30)});
  run.attempts_begun = 2;
  run.connections_opened = 1;
  run.steps_unused = 1;
  run.ended = at(40);
  return run;
}

TEST(Ndjson, everything_survives_a_round_trip) {
  const std::string text = to_ndjson(full_run(), "0.1.0");
  const auto read = read_ndjson(text);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->runs.size(), 1u);
  EXPECT_EQ(read->retrylab_version, "0.1.0");
  EXPECT_EQ(to_ndjson(read->runs[0], "0.1.0"), text);
}

TEST(Ndjson, raw_header_bytes_survive) {
  const auto read = read_ndjson(to_ndjson(full_run(), ""));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->runs[0].attempts[0].head, full_attempt().head);
  EXPECT_EQ(read->runs[0].attempts[0].key, "k\xff");
}

TEST(Ndjson, every_line_is_printable_ascii) {
  for (const char letter : to_ndjson(full_run(), "0.1.0")) {
    EXPECT_TRUE(letter == '\n' || (letter >= ' ' && letter <= '~'));
  }
}

TEST(Ndjson, recorder_writes_one_line_per_record) {
  std::vector<std::string> lines;
  NdjsonSink sink([&lines](std::string_view line) { lines.emplace_back(line); }, "0.1.0");
  JournalRun start;
  start.scenario_name = "two";
  Recorder recorder(start, {}, &sink);
  recorder.open({.id = 1, .accepted = at(1)});
  recorder.begin(std::make_unique<Attempt>(
      Attempt{.id = 1, .connection = 1, .first_byte = at(2), .method = "GET", .target = "/"}));
  recorder.find(1)->delivered.ending = Ending::delivered;
  recorder.end(1);
  recorder.finish(at(3), 0);
  EXPECT_THAT(
      lines,
      ElementsAre("{\"record\":\"run\",\"format\":\"1.1\",\"retrylab\":\"0.1.0\",\"run\":1,"
                  "\"scenario\":\"two\",\"processes\":1}\n",
                  "{\"record\":\"opened\",\"run\":1,\"connection\":1,\"at_ns\":1000000}\n",
                  "{\"record\":\"begun\",\"run\":1,\"attempt\":1,\"connection\":1,"
                  "\"number_on_connection\":1,\"first_byte_ns\":2000000,\"head_read_ns\":0,"
                  "\"method\":\"GET\",\"target\":\"/\",\"planned\":{\"source\":\"unmatched\"}}\n",
                  "{\"record\":\"ended\",\"run\":1,\"attempt\":1,"
                  "\"delivered\":{\"ending\":\"delivered\"}}\n",
                  "{\"record\":\"end\",\"run\":1,\"ended_ns\":3000000,\"attempts_begun\":1,"
                  "\"connections_opened\":1}\n"));
}

TEST(Ndjson, several_runs_share_a_file_line_by_line) {
  const std::string text =
      "{\"record\":\"run\",\"format\":\"1.0\",\"run\":1}\n"
      "{\"record\":\"run\",\"format\":\"1.0\",\"run\":2}\n"
      "{\"record\":\"begun\",\"run\":2,\"attempt\":1}\n"
      "{\"record\":\"begun\",\"run\":1,\"attempt\":2}\n"
      "{\"record\":\"begun\",\"run\":1,\"attempt\":1}\n";
  const auto read = read_ndjson(text);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->runs.size(), 2u);
  ASSERT_EQ(read->runs[0].attempts.size(), 2u);
  EXPECT_EQ(read->runs[0].attempts[0].id, 1u);
  EXPECT_EQ(read->runs[1].attempts.size(), 1u);
}

TEST(Ndjson, a_file_cut_anywhere_loses_only_its_last_line) {
  const std::string text = to_ndjson(full_run(), "0.1.0");
  const std::size_t first_line = text.find('\n');
  for (std::size_t size = first_line; size < text.size(); ++size) {
    const std::string cut = text.substr(0, size);
    const auto read = read_ndjson(cut);
    ASSERT_TRUE(read) << "cut at " << size << ": " << read.error().where << read.error().message;
    const bool between_lines = cut.ends_with('\n') || cut.ends_with('}');
    if (between_lines) continue;
    EXPECT_THAT(read->notes, ElementsAre(HasSubstr("is cut off and was left out"))) << size;
  }
}

TEST(Ndjson, dropped_records_are_those_that_the_file_lacks) {
  const auto read = read_ndjson(
      "{\"record\":\"run\",\"format\":\"1.0\",\"run\":1}\n"
      "{\"record\":\"begun\",\"run\":1,\"attempt\":2}\n"
      "{\"record\":\"end\",\"run\":1,\"attempts_begun\":3}\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->runs[0].dropped_attempts, 2u);
}

TEST(Ndjson, a_minor_version_may_add_members_and_records) {
  const auto read = read_ndjson(
      "{\"record\":\"run\",\"format\":\"1.7\",\"run\":1,\"moon\":\"full\"}\n"
      "{\"record\":\"tide\",\"run\":1,\"high\":[1]}\n"
      "{\"record\":\"begun\",\"run\":1,\"attempt\":1,\"planned\":{\"colour\":3}}\n");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->runs[0].attempts[0].planned.complete);
  EXPECT_THAT(read->notes, IsEmpty());
}

TEST(Ndjson, mistakes_are_named_with_their_line) {
  const std::string run = "{\"record\":\"run\",\"format\":\"1.0\",\"run\":1,\"hash\":\"aa\"}\n";
  const std::string begun = "{\"record\":\"begun\",\"run\":1,\"attempt\":1}\n";
  struct Case {
    std::string text;
    std::string where;
    std::string message;
  };
  const std::vector<Case> cases{
      {"", "line 1", "no run"},
      {run + "rubbish\n" + begun, "line 2", "is no JSON object"},
      {run + "\n" + begun + "[1]\n", "line 4", "is no JSON object"},
      {"{\"record\":\"run\",\"format\":\"2.0\",\"run\":1}\n", "line 1", "format \"2.0\""},
      {"{\"record\":\"run\",\"run\":1}\n", "line 1", "format \"\""},
      {run + run, "line 2", "starts run 1 a second time"},
      {begun, "line 1", "run 1, which never began"},
      {run + begun + begun, "line 3", "begins attempt 1 a second time"},
      {run + "{\"record\":\"ended\",\"run\":1,\"attempt\":9}\n", "line 2", "attempt 9"},
      {run + "{\"record\":\"closed\",\"run\":1,\"connection\":9}\n", "line 2", "connection 9"},
      {run + "{\"record\":\"begun\",\"run\":1,\"attempt\":-1}\n", "line 2", "\"attempt\""},
      {run + "{\"record\":\"begun\",\"run\":1,\"attempt\":\"1\"}\n", "line 2", "\"attempt\""},
      {run + "{\"record\":\"begun\",\"run\":1,\"attempt\":1,\"method\":5}\n", "line 2", "type"},
      {run + "{\"record\":\"begun\",\"run\":1,\"attempt\":1,\"planned\":5}\n", "line 2", "object"},
      {run + "{\"record\":\"begun\",\"run\":1,\"attempt\":1,\"body_sha256\":\"xy\"}\n", "line 2",
       "SHA-256"},
      {run + "{\"record\":\"begun\",\"run\":1,\"attempt\":1,\"method\":\"\\u20ac\"}\n", "line 2",
       "U+00FF"},
      {run + "{\"record\":\"begun\",\"run\":1,\"attempt\":1,\"planned\":{\"source\":\"moon\"}}\n",
       "line 2", "unknown source, \"moon\""}};
  for (const Case& one : cases) {
    const auto read = read_ndjson(one.text);
    ASSERT_FALSE(read) << one.text;
    EXPECT_EQ(read.error().where, one.where) << one.text;
    EXPECT_THAT(read.error().message, HasSubstr(one.message)) << one.text;
  }
}

TEST(Ndjson, a_journal_of_another_scenario_is_refused) {
  const std::string text = to_ndjson(full_run(), "0.1.0");
  EXPECT_TRUE(read_ndjson(text, "0123456789abcdef"));
  const auto other = read_ndjson(text, "fedcba9876543210");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().where, "line 1");
  EXPECT_THAT(other.error().message,
              AllOf(HasSubstr("another scenario"), HasSubstr("fedcba9876543210")));
}

}  // namespace
}  // namespace retrylab::journal
