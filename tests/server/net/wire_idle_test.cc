// SPDX-License-Identifier: MIT
// What happens on a connection between its requests, and by its own plan.
#include <chrono>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/net/exchange.h"

namespace retrylab::net {
namespace {

using std::chrono::milliseconds;
using testing::StartsWith;

TEST(WireActions, idle_connection_is_closed_at_its_time) {
  Service service;
  service.engine.at_finish["/"] = [](Instant now) {
    return plan({wire::WaitUntil{now + milliseconds(10)}, wire::Reset{}});
  };
  RawClient client(service.url());
  client.send(kGet);
  EXPECT_EQ(client.answer(), ok("").bytes.view());
  EXPECT_EQ(client.receive_all().end, Seen::rst);
}

TEST(WireActions, request_that_comes_in_time_is_read_though_the_connection_idles) {
  Service service;
  service.engine.at_finish["/"] = [](Instant now) {
    return plan({wire::WaitUntil{now + std::chrono::hours(1)}, wire::Reset{}});
  };
  RawClient client(service.url());
  for (int i = 0; i < 3; ++i) {
    client.send(kGet);
    EXPECT_EQ(client.answer(), ok("").bytes.view());
  }
  client.close();
  EXPECT_THAT(service.engine.wait_for("disconnected"), StartsWith("disconnected 1 by peer "));
}

TEST(WireActions, unsolicited_answer_on_an_idle_connection) {
  Service service;
  service.engine.at_finish["/"] = always({ok("unasked")});
  RawClient client(service.url());
  client.send(kGet);
  EXPECT_EQ(client.answer(), ok("").bytes.view());
  EXPECT_EQ(client.answer(), ok("unasked").bytes.view());
}

TEST(WireActions, idle_connection_goes_on_where_its_plan_speaks_of_a_request) {
  Service service;
  service.engine.at_finish["/"] = [](Instant now) {
    return plan({wire::WaitUntil{now + std::chrono::hours(1)}, wire::Close{},
                 wire::ReadTo{.place = wire::ReadTo::Place::request_start}, wire::Reset{}});
  };
  RawClient client(service.url());
  client.send(kGet);
  client.answer();
  client.send("G");
  EXPECT_EQ(client.receive_all().end, Seen::rst);
  EXPECT_EQ(service.engine.wait_for("idle over"), "idle over 1: 4 actions");
}

TEST(WireActions, head_read_by_the_connections_own_plan_is_served_after_it) {
  Service service;
  service.engine.at_connect =
      always({wire::ReadTo{.place = wire::ReadTo::Place::head_end}, wire::Hold{milliseconds(5)}});
  RawClient client(service.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbo");
  client.send("dy" + kGet);
  EXPECT_EQ(client.answer(), ok("body").bytes.view());
  EXPECT_EQ(client.answer(), ok("").bytes.view());
  EXPECT_EQ(service.engine.wait_for("idle over"), "idle over 1: 2 actions");
}

TEST(WireActions, request_read_whole_by_the_connections_own_plan_is_served_after_it) {
  Service service;
  service.engine.at_connect = always({wire::ReadTo{}});
  RawClient client(service.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody");
  EXPECT_EQ(client.answer(), ok("body").bytes.view());
}

}  // namespace
}  // namespace retrylab::net
