// SPDX-License-Identifier: MIT
// Requests that break off, or are none, as the journal has them.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/net/raw_client.h"
#include "tests/server/runs/wire.h"

namespace retrylab::runs {
namespace {

using testing::StartsWith;

TEST(body_that_is_refused_midway, is_one_attempt) {
  Running running(scenario_of("200"));
  RawClient client(running.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n");
  EXPECT_THAT(client.receive_all().bytes, StartsWith("HTTP/1.1 400 Bad Request\r\n"));
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.attempts.size(), 1u);
  EXPECT_EQ(run.attempts[0].planned.source, journal::Source::malformed);
}

TEST(client_that_closes_right_behind_its_request, is_not_held_by_a_stall) {
  Running running(scenario_of(doing("stall", R"("response_start")")));
  RawClient client(running.url());
  client.send(kGet);
  client.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  ASSERT_EQ(run.attempts.size(), 1u);
  EXPECT_TRUE(run.attempts[0].delivered.peer_left);
}

TEST(tls_on_the_plain_port, is_told_apart_from_other_nonsense) {
  Running running(scenario_of("200"));
  RawClient client(running.url());
  client.send(std::string("\x16\x03\x01\x02\x00\x01\x00", 7));
  EXPECT_THAT(client.receive_all().bytes, StartsWith("HTTP/1.1 400 Bad Request\r\n"));
  const journal::Run run = running.run->stop();
  EXPECT_EQ(run.attempts.at(0).planned.note, "a TLS handshake; this port speaks plain HTTP");
}

// The half-closed side says nothing more, whatever the request; that is the server's doing.

}  // namespace
}  // namespace retrylab::runs
