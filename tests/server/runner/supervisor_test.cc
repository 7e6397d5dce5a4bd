// SPDX-License-Identifier: MIT
#include "server/runner/supervisor.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/runner/process.h"

namespace retrylab::runner {
namespace {

using Outcome = journal::ClientEnd::Outcome;
using std::chrono::milliseconds;
using testing::HasSubstr;

// A supervisor whose clients are lines of shell and whose output goes nowhere.
class SupervisorTest : public testing::Test {
 protected:
  void supervise(Duration timeout = kForever, Duration grace = std::chrono::seconds(20)) {
    null_ = Descriptor(open("/dev/null", O_WRONLY | O_CLOEXEC));
    supervisor_ = *Supervisor::create(
        {.timeout = timeout, .grace = grace, .signal_grace = grace, .output = null_.get()});
  }

  void start(std::size_t client, const std::string& script) {
    const auto command = make_command({"/bin/sh", "-c", script}, {},
                                      {.url = "http://x",
                                       .admin_url = "",
                                       .run = "1",
                                       .outcome_file = supervisor_->outcome_file(client)});
    ASSERT_TRUE(supervisor_->start(client, command));
  }

  journal::ClientEnd run(const std::string& script) {
    start(0, script);
    return supervisor_->next_ended().end;
  }

  Descriptor null_;
  std::unique_ptr<Supervisor> supervisor_;
};

TEST_F(SupervisorTest, the_exit_code_is_the_outcome_of_a_client_that_says_nothing) {
  supervise();
  const auto good = run("exit 0");
  EXPECT_EQ(good.outcome, Outcome::success);
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_FALSE(good.declared);
  const auto bad = run("exit 3");
  EXPECT_EQ(bad.outcome, Outcome::failure);
  EXPECT_EQ(bad.exit_code, 3);
}

TEST_F(SupervisorTest, a_declared_outcome_outdoes_the_exit_code) {
  supervise();
  const auto end = run(R"(echo '{"outcome":"failure","status":503,"reason":"deadline"}')");
  EXPECT_EQ(end.outcome, Outcome::failure);
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(end.status, 503);
  EXPECT_EQ(end.reason, "deadline");
  EXPECT_TRUE(end.declared);
}

TEST_F(SupervisorTest, the_outcome_file_outdoes_the_output) {
  supervise();
  const auto end = run(
      R"(echo '{"outcome":"success"}'; printf '{\n"outcome":"failure"\n}' > "$RETRYLAB_OUTCOME")");
  EXPECT_EQ(end.outcome, Outcome::failure);
}

TEST_F(SupervisorTest, a_client_over_its_time_is_hung) {
  supervise(milliseconds(30));
  const auto end = run("sleep 60");
  EXPECT_EQ(end.outcome, Outcome::hung);
  EXPECT_EQ(end.signal, SIGTERM);
}

TEST_F(SupervisorTest, a_client_that_ignores_sigterm_is_killed) {
  supervise(milliseconds(30), milliseconds(30));
  const auto end = run("trap '' TERM; while :; do sleep 1; done");
  EXPECT_EQ(end.outcome, Outcome::hung);
  EXPECT_EQ(end.signal, SIGKILL);
}

TEST_F(SupervisorTest, the_time_limit_reaches_what_the_client_started) {
  supervise(milliseconds(30));
  EXPECT_EQ(run("sleep 60 & sleep 60 & wait").outcome, Outcome::hung);
}

TEST_F(SupervisorTest, a_process_left_behind_does_not_hold_up_the_end) {
  supervise();
  EXPECT_EQ(run("sleep 60 & exit 0").outcome, Outcome::success);
}

TEST_F(SupervisorTest, a_signal_is_forwarded_and_remembered) {
  supervise();
  start(0, "trap 'exit 9' INT; kill -INT $PPID; while :; do sleep 0.01; done");
  const auto end = supervisor_->next_ended().end;
  EXPECT_EQ(end.exit_code, 9);
  EXPECT_EQ(end.outcome, Outcome::interrupted);
  EXPECT_EQ(supervisor_->signal(), SIGINT);
}

TEST_F(SupervisorTest, a_client_that_succeeded_all_the_same_was_not_interrupted) {
  supervise();
  start(0, "trap 'exit 0' INT; kill -INT $PPID; while :; do sleep 0.01; done");
  EXPECT_EQ(supervisor_->next_ended().end.outcome, Outcome::success);
}

TEST_F(SupervisorTest, a_client_killed_by_a_signal_says_so) {
  supervise();
  const auto end = run("kill -SEGV $$");
  EXPECT_EQ(end.outcome, Outcome::signalled);
  EXPECT_EQ(end.signal, SIGSEGV);
  EXPECT_EQ(end.exit_code, std::nullopt);
}

TEST_F(SupervisorTest, many_clients_end_in_their_own_order) {
  supervise();
  start(0, "exec sleep 60");  // killed with the supervisor
  start(1, "exit 7");
  const auto first = supervisor_->next_ended();
  EXPECT_EQ(first.end.exit_code, 7);
  EXPECT_EQ(first.client, 1U);
  EXPECT_EQ(supervisor_->running(), 1U);
}

TEST_F(SupervisorTest, a_program_that_is_not_there_is_named) {
  supervise();
  const auto started =
      supervisor_->start(0, {.arguments = {"./no-such-client"}, .environment = {}});
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::machine);
  EXPECT_THAT(started.error().message, HasSubstr("./no-such-client"));
  EXPECT_THAT(started.error().message, HasSubstr("No such file"));
}

TEST_F(SupervisorTest, output_is_passed_on_byte_for_byte) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const Descriptor reader(ends[0]);
  Descriptor writer(ends[1]);
  supervisor_ = *Supervisor::create({.output = writer.get()});
  run("printf 'a\\nb\\000c'");
  writer.close();
  char buffer[64];
  const auto got = read(reader.get(), buffer, sizeof buffer);
  EXPECT_EQ(std::string(buffer, static_cast<std::size_t>(got)), std::string("a\nb\0c", 5));
}

}  // namespace
}  // namespace retrylab::runner
