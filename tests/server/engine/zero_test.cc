// SPDX-License-Identifier: MIT
// The run's time zero.
#include <chrono>

#include <gtest/gtest.h>

#include "tests/server/engine/server_under_test.h"

namespace retrylab::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

SimpleRequest unheard_for(Duration time) {
  SimpleRequest request = get("/");
  request.unheard = time;
  return request;
}

// A busy host accepts late; the kernel has stamped the first byte long before.
TEST(TimeZero, is_not_after_the_first_byte_of_the_first_attempt) {
  ServerUnderTest server(R"("routes": [{"on": "GET /", "script": [200]}])");
  EXPECT_EQ(server.engine().time_zero(), Instant());
  server.now = Instant(milliseconds(2));
  server.deliver(server.send(unheard_for(milliseconds(21))));
  EXPECT_EQ(server.engine().time_zero(), Instant(milliseconds(-19)));
  EXPECT_EQ(server.run().zero, Instant(milliseconds(-19)));
  server.now = Instant(seconds(1));
  server.deliver(server.send(unheard_for(milliseconds(30))));
  EXPECT_EQ(server.run().zero, Instant(milliseconds(-19)));
}

TEST(TimeZero, of_a_server_that_is_ready_is_when_it_was) {
  ServerUnderTest server(R"("clock": "ready", "routes": [{"on": "GET /", "script": [200]}])");
  server.now = Instant(milliseconds(2));
  server.deliver(server.send(unheard_for(milliseconds(21))));
  EXPECT_EQ(server.run().zero, Instant());
}

}  // namespace
}  // namespace retrylab::engine
