// SPDX-License-Identifier: MIT
// Followers, without sockets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "server/control/journal_stream.h"
#include "server/control/run_event_stream.h"
#include "tests/server/control/fake_runs.h"

namespace retrylab::control {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr Duration kNoTime{0};

class StreamTest : public testing::Test {
 protected:
  StreamTest() { log_->open(); }

  std::unique_ptr<RecordEventStream> records(std::uint64_t from = 0) {
    return std::make_unique<RecordEventStream>(id_, log_, from, context_, followers_.take());
  }

  // More than the log keeps.
  void overflow() {
    for (int i = 0; i < 100; ++i) log_->append(std::string(10'000, 'x') + "\n");
  }

  FakeRuns runs_;
  FakeClock clock_;
  Followers followers_{4};
  Context context_{runs_, clock_, followers_};
  RunId id_ = runs_.add();
  std::shared_ptr<JournalLog> log_ = std::make_shared<JournalLog>(100'000);
};

TEST_F(StreamTest, each_record_is_an_event_with_the_offset_after_it) {
  const auto stream = records(1);
  log_->append("{\"a\":1}\n");
  log_->append("{\"a\":2}\n");
  EXPECT_EQ(stream->next(kNoTime), "id: 2\nevent: record\ndata: {\"a\":2}\n\n");
  EXPECT_EQ(stream->next(kNoTime), "");
}

TEST_F(StreamTest, who_falls_behind_is_told_and_let_go) {
  const auto stream = records();
  log_->append("{}\n");
  EXPECT_THAT(*stream->next(kNoTime), StartsWith("id: 1\n"));
  overflow();
  EXPECT_THAT(*stream->next(kNoTime), StartsWith("event: dropped\ndata: {\"from\":1,\"until\":"));
  EXPECT_EQ(stream->next(kNoTime), std::nullopt);
  EXPECT_EQ(followers_.dropped(), 1U);
}

TEST_F(StreamTest, what_was_gone_before_it_came_ends_no_stream) {
  overflow();
  const auto stream = records();
  const auto events = *stream->next(kNoTime);
  EXPECT_THAT(events, StartsWith("event: dropped\n"));
  EXPECT_THAT(events, HasSubstr("event: record\n"));
  EXPECT_EQ(stream->next(kNoTime), "");
  EXPECT_EQ(followers_.dropped(), 0U);
}

TEST_F(StreamTest, after_a_reset_it_goes_on_from_the_new_beginning) {
  const auto stream = records(7);
  log_->restart();
  log_->append("{}\n");
  EXPECT_THAT(*stream->next(kNoTime), StartsWith("id: 0\nevent: run_reset\n"));
  EXPECT_THAT(*stream->next(kNoTime), StartsWith("id: 1\n"));
}

TEST_F(StreamTest, lines_end_with_the_run_or_its_reset) {
  LineStream ended(id_, log_, 0, followers_.take());
  log_->append("{}\n");
  EXPECT_EQ(ended.next(kNoTime), "{}\n");
  LineStream reset(id_, log_, 0, followers_.take());
  log_->restart();
  EXPECT_EQ(reset.next(kNoTime), std::nullopt);
  LineStream closed(id_, log_, 0, followers_.take());
  log_->close();
  EXPECT_EQ(closed.next(kNoTime), std::nullopt);
}

TEST_F(StreamTest, the_stream_of_all_runs_says_hello_and_then_what_changed) {
  RunEventStream stream(context_, followers_.take());
  EXPECT_THAT(*stream.next(kNoTime), StartsWith("event: hello\ndata: {\"runs\":[{\"id\":\"1\""));
  EXPECT_EQ(stream.next(kNoTime), "");
  runs_.changes().add({.why = Change::Why::ttl, .run = {.id = 5}});
  EXPECT_THAT(*stream.next(kNoTime), HasSubstr("event: run_ended\ndata: {\"run\":{\"id\":\"5\""));
  runs_.changes().close();
  stream.next(kNoTime);
  EXPECT_EQ(stream.next(kNoTime), std::nullopt);
}

}  // namespace
}  // namespace retrylab::control
