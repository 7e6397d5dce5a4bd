// SPDX-License-Identifier: MIT
// When things happened: the stamps of deliveries and arrivals, and how bytes are sent together.
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <chrono>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/net/exchange.h"

namespace retrylab::net {
namespace {

using std::chrono::milliseconds;

TEST(WireActions, writes_leave_in_one_segment) {
  Exchange exchange(always({write(kHead), write("01234", false), write("", false),
                            write("56789", false), wire::KeepAlive{}}));
  EXPECT_EQ(exchange.client->receive(kHead.size() + 10).bytes, kHead + "0123456789");
  EXPECT_EQ(exchange.client->segments_received(), 1u);
  EXPECT_EQ(exchange.service.engine.delivery(1).actions_done, 5u);
}

TEST(WireActions, stamps_enclose_the_write) {
  Exchange exchange(always({wire::Hold{milliseconds(3)}, ok("x"), wire::KeepAlive{}}));
  exchange.client->answer();
  const wire::Delivery delivery = exchange.service.engine.delivery(1);
  EXPECT_GE(*delivery.r_min, exchange.service.engine.head(1).first_byte + milliseconds(3));
  EXPECT_LT(*delivery.r_min, *delivery.r_max);
}

// The kernel begins to stamp a moment after it was asked to, and a clock that was read while the
// host was busy elsewhere does not count: so again until it went well.
TEST(WireActions, arrival_is_stamped_by_the_kernel_when_one_request_is_outstanding) {
  constexpr wire::AttemptId kMost = 3'000;
  Service service;
  RawClient client(service.url());
  bool alone = false;
  bool first_of_two = false;
  for (wire::AttemptId id = 1; id < kMost && !(alone && first_of_two); id += 3) {
    const Instant before = service.clock.now();
    service.on_loop([&] { client.send(kGet); });
    client.answer();
    client.send(kGet + kGet);
    client.answer();
    client.answer();
    // The two clocks agree to a millisecond.
    EXPECT_GE(service.engine.head(id).first_byte, before - milliseconds(1));
    alone = alone || service.engine.head(id).first_byte_from_kernel;
    first_of_two = first_of_two || service.engine.head(id + 1).first_byte_from_kernel;
    EXPECT_FALSE(service.engine.head(id + 2).first_byte_from_kernel);
  }
  EXPECT_TRUE(alone);
  EXPECT_TRUE(first_of_two);
}

TEST(WireActions, records_are_flushed_once_before_the_answers_of_a_turn) {
  FakeEngine* engine = nullptr;
  Service service({.before_answers = [&] { engine->note("flush"); }});
  engine = &service.engine;
  RawClient one(service.url());
  RawClient two(service.url());
  one.send(kGet);
  two.send(kGet);
  one.answer();
  two.answer();
  bool flushed = false;
  for (const auto& line : engine->lines()) {
    if (line == "flush") flushed = true;
    if (line.starts_with("body")) flushed = false;
    if (line.starts_with("finished")) {
      EXPECT_TRUE(flushed) << line;
    }
  }
}

TEST(WireActions, accepted_sockets_send_without_delay) {
  // TCP_NODELAY is inherited from the listener: without it the second of two small writes waits
  // for the acknowledgement of the first.
  auto listener = listen_on("127.0.0.1", 0);
  ASSERT_TRUE(listener);
  const RawClient client("http://127.0.0.1:" + std::to_string(local_port(*listener)));
  const Socket accepted(::accept(listener->descriptor(), nullptr, nullptr));
  int on = 0;
  socklen_t size = sizeof on;
  getsockopt(accepted.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, &size);
  EXPECT_EQ(on, 1);
}

}  // namespace
}  // namespace retrylab::net
