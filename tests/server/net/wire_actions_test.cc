// SPDX-License-Identifier: MIT
// Each wire action as a client's kernel sees it: which bytes, FIN or RST, and what is reported.
#include <chrono>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/net/exchange.h"

namespace retrylab::net {
namespace {

using std::chrono::milliseconds;
using testing::StartsWith;
using Peer = wire::Delivery::Peer;

TEST(WireActions, close_is_a_fin_without_a_byte) {
  Exchange exchange(always({wire::Close{}}));
  const Received received = exchange.client->receive_all();
  EXPECT_EQ(received.bytes, "");
  EXPECT_EQ(received.end, Seen::fin);
  const wire::Delivery delivery = exchange.service.engine.delivery(1);
  EXPECT_EQ(delivery.actions_done, 1u);
  EXPECT_EQ(delivery.bytes, 0u);
  EXPECT_EQ(delivery.peer, Peer::stayed);
  EXPECT_LE(*delivery.r_min, *delivery.r_max);
  EXPECT_THAT(exchange.service.engine.wait_for("disconnected"),
              StartsWith("disconnected 1 by server"));
}

TEST(WireActions, close_after_bytes_is_a_fin_behind_them) {
  Exchange exchange(always({write(kHead + "12345"), wire::Close{}}));
  const Received received = exchange.client->receive_all();
  EXPECT_EQ(received.bytes, kHead + "12345");
  EXPECT_EQ(received.end, Seen::fin);
}

TEST(WireActions, close_with_a_body_unread_is_a_fin_still) {
  Service service;
  service.engine.at_head["/"] = always({wire::Close{}});
  RawClient client(service.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" +
              std::string(50'000, 'b'));
  service.on_loop([] {});
  EXPECT_EQ(client.receive_all().end, Seen::fin);
}

TEST(WireActions, close_that_leaves_bytes_unread_is_an_rst) {
  Service service;
  service.engine.at_head["/"] =
      always({wire::ReadTo{.place = wire::ReadTo::Place::body_byte, .byte = 1},
              wire::Close{.discard_unread = false}});
  RawClient client(service.url());
  service.on_loop([&] {  // all is sent before the server reads
    client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n" +
                std::string(200'000, 'b'));
  });
  EXPECT_EQ(client.receive_all().end, Seen::rst);
}

TEST(WireActions, staged_close_waits_for_the_peer) {
  Exchange exchange(always({ok("done"), wire::Close{.staged = true}}));
  EXPECT_EQ(exchange.client->receive_all().end, Seen::fin);
  EXPECT_EQ(exchange.service.engine.delivery(1).actions_done, 2u);
  exchange.client->send("more that nobody wants");
  EXPECT_TRUE(exchange.client->silent() || exchange.client->receive_all().end == Seen::fin);
  exchange.client->close();
  EXPECT_EQ(exchange.service.engine.wait_for("disconnected"),
            "disconnected 1 by server after " + std::to_string(kGet.size() + 22) + " bytes");
}

TEST(WireActions, reset_is_an_rst_without_a_byte) {
  Exchange exchange(always({wire::Reset{}}));
  const Received received = exchange.client->receive_all();
  EXPECT_EQ(received.bytes, "");
  EXPECT_EQ(received.end, Seen::rst);
  const wire::Delivery delivery = exchange.service.engine.delivery(1);
  EXPECT_EQ(delivery.actions_done, 1u);
  EXPECT_LE(*delivery.r_min, *delivery.r_max);
}

TEST(WireActions, reset_after_bytes_that_were_read) {
  Service service;
  service.engine.at_body["/"] =
      always({write(kHead + "123"), wire::Hold{milliseconds(20)}, wire::Reset{}});
  RawClient client(service.url());
  client.send(kGet);
  EXPECT_EQ(client.receive(kHead.size() + 3).bytes, kHead + "123");
  EXPECT_EQ(client.receive_all().end, Seen::rst);
}

TEST(WireActions, reset_at_accept_comes_before_any_request) {
  Service service;
  service.engine.at_connect = always({wire::Reset{}});
  RawClient client(service.url());
  EXPECT_EQ(client.receive_all().end, Seen::rst);
  EXPECT_EQ(service.engine.wait_for("disconnected"), "disconnected 1 by server after 0 bytes");
}

TEST(WireActions, close_at_request_start_waits_for_the_first_byte) {
  Service service;
  service.engine.at_connect =
      always({wire::ReadTo{.place = wire::ReadTo::Place::request_start}, wire::Close{}});
  RawClient client(service.url());
  EXPECT_TRUE(client.silent());
  client.send("G");
  EXPECT_EQ(client.receive_all().end, Seen::fin);
  EXPECT_EQ(service.engine.wait_for("disconnected"), "disconnected 1 by server after 1 bytes");
}

TEST(WireActions, stall_at_request_start_reads_the_request_afterwards) {
  Service service;
  service.engine.at_connect = always(
      {wire::ReadTo{.place = wire::ReadTo::Place::request_start}, wire::Hold{milliseconds(20)}});
  RawClient client(service.url());
  client.send(kGet + kGet);
  EXPECT_EQ(client.answer(), ok("").bytes.view());
  EXPECT_EQ(client.answer(), ok("").bytes.view());
}

TEST(WireActions, shut_down_writing_reads_on) {
  Service service;
  service.engine.at_body["/"] = always({ok("a"), wire::ShutdownWrite{}, wire::Hold{}});
  RawClient client(service.url());
  client.send(kGet);
  const Received received = client.receive_all();
  EXPECT_EQ(received.bytes, ok("a").bytes.view());
  EXPECT_EQ(received.end, Seen::fin);
  client.send("no RST answers this");
  EXPECT_EQ(client.receive_all().end, Seen::fin);
}

TEST(WireActions, wait_is_never_early) {
  Service service;
  Instant due;
  service.engine.at_body["/"] = [&](Instant now) {
    due = now + milliseconds(5);
    return plan({wire::WaitUntil{due}, ok(""), wire::KeepAlive{}});
  };
  RawClient client(service.url());
  for (wire::AttemptId attempt = 1; attempt <= 50; ++attempt) {
    client.send(kGet);
    client.answer();
    EXPECT_GE(*service.engine.delivery(attempt).r_min, due);
  }
}

TEST(WireActions, paced_pieces_are_segments_at_absolute_deadlines) {
  Service service;
  Instant begun;
  const std::string bytes = kHead + "0123456789";
  service.engine.at_body["/"] = [&](Instant now) {
    begun = now;
    return plan({wire::WritePaced{bytes, 10, milliseconds(4), true}, wire::KeepAlive{}});
  };
  RawClient client(service.url());
  client.send(kGet);
  EXPECT_EQ(client.receive(bytes.size()).bytes, bytes);
  EXPECT_EQ(client.segments_received(), (bytes.size() + 9) / 10);
  const wire::Delivery delivery = service.engine.delivery(1);
  EXPECT_EQ(delivery.actions_done, 2u);
  EXPECT_EQ(delivery.bytes, bytes.size());
  const auto pieces = static_cast<long>((bytes.size() + 9) / 10);
  const auto head_pieces = static_cast<long>((kHead.size() + 9) / 10);
  EXPECT_GE(*delivery.r_min, begun + milliseconds(4) * (head_pieces - 1));
  EXPECT_GE(*delivery.r_max, begun + milliseconds(4) * (pieces - 1));
}

TEST(WireActions, pieces_without_an_interval_leave_at_once) {
  Exchange exchange(
      always({wire::WritePaced{std::string(5'000, 'x'), 1, Duration(0), false}, wire::Close{}}));
  EXPECT_EQ(exchange.client->receive_all().bytes, std::string(5'000, 'x'));
}

TEST(WireActions, hold_for_a_time_goes_on) {
  Exchange exchange(always({wire::Hold{milliseconds(5)}, ok("after"), wire::KeepAlive{}}));
  EXPECT_EQ(exchange.client->answer(), ok("after").bytes.view());
}

TEST(WireActions, hold_ends_when_the_peer_closes) {
  Exchange exchange(always({wire::Hold{}}));
  exchange.service.engine.wait_for("body 1");
  EXPECT_TRUE(exchange.client->silent());
  exchange.client->close();
  const wire::Delivery delivery = exchange.service.engine.delivery(1);
  EXPECT_EQ(delivery.actions_done, 1u);
  EXPECT_EQ(delivery.peer, Peer::closed);
  EXPECT_TRUE(delivery.peer_left);
  EXPECT_FALSE(delivery.r_min);
  EXPECT_THAT(exchange.service.engine.wait_for("disconnected"),
              StartsWith("disconnected 1 by peer "));
}

TEST(WireActions, hold_ends_when_the_peer_resets) {
  Exchange exchange(always({wire::Hold{}}));
  exchange.service.engine.wait_for("body 1");
  exchange.client->reset();
  EXPECT_EQ(exchange.service.engine.delivery(1).peer, Peer::reset);
  EXPECT_THAT(exchange.service.engine.wait_for("disconnected"),
              StartsWith("disconnected 1 by peer_reset"));
}

TEST(WireActions, peer_that_closes_behind_unread_bytes_is_noticed) {
  Exchange exchange(always({wire::Hold{}}));
  exchange.service.engine.wait_for("body 1");
  exchange.client->send(std::string(100'000, 'u'));
  exchange.client->close();
  EXPECT_EQ(exchange.service.engine.delivery(1).peer, Peer::closed);
}

TEST(WireActions, peer_that_leaves_cuts_a_wait_short) {
  Exchange exchange([](Instant now) {
    return plan({wire::WaitUntil{now + std::chrono::hours(1)}, ok("never"), wire::KeepAlive{}});
  });
  exchange.service.engine.wait_for("body 1");
  const net::Clock clock;
  while (clock.now() < Instant(milliseconds(6))) {  // right behind the request: a half-close
  }
  exchange.client->close();
  const wire::Delivery delivery = exchange.service.engine.delivery(1);
  EXPECT_EQ(delivery.peer, Peer::closed);
  EXPECT_EQ(delivery.actions_done, 0u);
  EXPECT_EQ(delivery.bytes, 0u);
}

TEST(WireActions, discard_unread_reads_the_body_away) {
  Service service;
  service.engine.at_head["/"] = always({ok("early"), wire::DiscardUnread{}, wire::KeepAlive{}});
  RawClient client(service.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n01234");
  EXPECT_EQ(client.answer(), ok("early").bytes.view());
  client.send("56789POST /next HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nn");
  EXPECT_EQ(client.answer(), ok("n").bytes.view());
}

TEST(WireActions, kept_alive_with_the_body_unread_still_finds_the_next_request) {
  Service service;
  service.engine.at_head["/"] = always({ok("early"), wire::KeepAlive{}});
  RawClient client(service.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n01234");
  EXPECT_EQ(client.answer(), ok("early").bytes.view());
  client.send("56789POST /next HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nn");
  EXPECT_EQ(client.answer(), ok("n").bytes.view());
}

TEST(WireActions, body_byte_is_reached_before_the_body_ends) {
  Service service;
  service.engine.at_head["/"] =
      always({wire::ReadTo{.place = wire::ReadTo::Place::body_byte, .byte = 3}, wire::Reset{}});
  RawClient client(service.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n01");
  EXPECT_TRUE(client.silent());
  client.send("2");
  EXPECT_EQ(client.receive_all().end, Seen::rst);
}

TEST(WireActions, body_shorter_than_the_byte_ends_it_at_its_end) {
  Service service;
  service.engine.at_head["/"] =
      always({wire::ReadTo{.place = wire::ReadTo::Place::body_byte, .byte = 99}, wire::Close{}});
  RawClient client(service.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n01");
  EXPECT_EQ(client.receive_all().end, Seen::fin);
}

TEST(WireActions, ask_engine_replaces_the_rest) {
  Service service;
  service.engine.at_body["/"] = always({wire::AskEngine{}, wire::Reset{}});
  service.engine.at_resume["/"] = always({ok("asked"), wire::KeepAlive{}});
  RawClient client(service.url());
  client.send(kGet);
  EXPECT_EQ(client.answer(), ok("asked").bytes.view());
}

TEST(WireActions, await_engine_goes_on_when_released) {
  Service service;
  service.engine.at_body["/"] = always({wire::AwaitEngine{}});
  service.engine.at_resume["/"] = always({ok("released"), wire::KeepAlive{}});
  service.engine.at_body["/release"] = [&](Instant) {
    service.engine.released = {1};
    return plan({ok("first"), wire::KeepAlive{}});
  };
  RawClient waiting(service.url());
  waiting.send(kGet);
  service.engine.wait_for("body 1");
  RawClient other(service.url());
  other.send("GET /release HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(other.answer(), ok("first").bytes.view());
  EXPECT_EQ(waiting.answer(), ok("released").bytes.view());
}

TEST(WireActions, await_engine_ends_at_its_time) {
  Service service;
  Instant until;
  service.engine.at_body["/"] = [&](Instant now) {
    until = now + milliseconds(5);
    return plan({wire::AwaitEngine{until}});
  };
  service.engine.at_resume["/"] = [&](Instant now) {
    EXPECT_GE(now, until);
    return plan({ok("late"), wire::KeepAlive{}});
  };
  RawClient client(service.url());
  client.send(kGet);
  EXPECT_EQ(client.answer(), ok("late").bytes.view());
}

TEST(WireActions, closed_gate_refuses_and_keeps_the_port) {
  ServerOptions options;
  options.keeps_port = true;
  Service service(options);
  Instant opens;
  service.engine.at_gate = [&](Instant now) {
    if (opens == Instant()) opens = now + milliseconds(50);
    return now < opens ? wire::Gate{.open = false, .until = opens} : wire::Gate{};
  };
  const bool connected = RawClient::can_connect(service.url());
  service.on_loop([&] { EXPECT_FALSE(connected && service.clock.now() < opens); });
  while (!RawClient::can_connect(service.url())) {
  }
  service.on_loop([&] { EXPECT_GE(service.clock.now(), opens); });
  RawClient client(service.url());
  client.send(kGet);
  EXPECT_EQ(client.answer(), ok("").bytes.view());
}

TEST(WireActions, half_closed_client_is_not_held_for_what_never_comes) {
  Service service;
  service.engine.at_body["/"] = always({wire::Hold{}});
  RawClient client(service.url());
  service.on_loop([&] {
    client.send(kGet);
    client.half_close();
  });
  EXPECT_EQ(service.engine.delivery(1).peer, Peer::closed);
}

// The FIN may have been a half-close; the write finds out, and the FIN's time is when it left.
TEST(WireActions, client_that_closed_behind_its_request_left_when_its_fin_came) {
  Service service;
  service.engine.at_body["/"] = always({wire::Hold{milliseconds(100)}, ok("a"),
                                        wire::Hold{milliseconds(20)}, ok("b"), wire::KeepAlive{}});
  {
    RawClient client(service.url());
    service.on_loop([&] {
      client.send(kGet);
      client.close();
    });
  }
  const wire::Delivery delivery = service.engine.delivery(1);
  EXPECT_EQ(delivery.peer, Peer::closed);
  EXPECT_LT(*delivery.peer_left, *delivery.r_min);
}

}  // namespace
}  // namespace retrylab::net
