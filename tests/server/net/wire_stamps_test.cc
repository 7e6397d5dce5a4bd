// SPDX-License-Identifier: MIT
// When things happened: the stamps of deliveries and arrivals, and how bytes are sent together.
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

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
    // A delay counts from there, and no answer may be early.
    EXPECT_GE(service.engine.head(id).first_byte, before);
    EXPECT_GE(service.engine.head(id).arrived.value_or(before), before);
    alone = alone || service.engine.head(id).first_byte_from_kernel;
    first_of_two = first_of_two || service.engine.head(id + 1).first_byte_from_kernel;
    EXPECT_FALSE(service.engine.head(id + 2).first_byte_from_kernel);
  }
  EXPECT_TRUE(alone);
  EXPECT_TRUE(first_of_two);
}

// Bytes that are due go before the records of those before them, but whoever has its answer and
// asks again finds its attempt over.
TEST(WireActions, attempt_is_over_before_the_next_request_is_read) {
  constexpr std::size_t kClients = 100;
  Service service;
  Instant due;
  service.engine.at_body["/"] = [&](Instant now) {
    if (due == Instant()) due = now + milliseconds(30);
    return plan({wire::WaitUntil{due}, ok("x"), wire::KeepAlive{}});
  };
  service.engine.at_body["/again"] = always({ok("y"), wire::KeepAlive{}});
  std::vector<std::unique_ptr<RawClient>> clients;
  for (std::size_t i = 0; i < kClients; ++i) {
    clients.push_back(std::make_unique<RawClient>(service.url()));
    clients.back()->send(kGet);
    service.engine.wait_for("body " + std::to_string(i + 1) + ":");
  }
  for (const auto& client : clients) {
    client->answer();
    client->send("GET /again HTTP/1.1\r\nHost: x\r\n\r\n");
  }
  for (const auto& client : clients) client->answer();
  std::set<std::string> over;
  for (const std::string& line : service.engine.lines()) {
    if (line.starts_with("finished")) over.insert(line.substr(0, line.find(':')));
    const auto of = line.find(" 2 of connection ");
    if (!line.starts_with("head") || of == std::string::npos) continue;
    const std::string connection = line.substr(line.rfind(' ') + 1);
    EXPECT_TRUE(over.contains("finished " + connection)) << line;
  }
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
