// SPDX-License-Identifier: MIT
// HTTP/1 over loopback: what an ordinary client sends, and what a rude one does.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/net/fake_engine.h"
#include "tests/server/net/raw_client.h"

namespace retrylab::net {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t kFragments[] = {1, 2, 3, 4, 5, 6, 7, 8, 16, 31, 1'000'000};

std::string get(const std::string& target) {
  return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n";
}

std::string post(const std::string& target, const std::string& body) {
  return "POST " + target +
         " HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         body;
}

std::string answer(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

TEST(Http, connection_is_kept_alive) {
  Service service;
  RawClient client(service.url());
  for (const std::string body : {"one", "two", "three"}) {
    client.send(post("/", body));
    EXPECT_EQ(client.answer(), answer(body));
  }
  EXPECT_EQ(service.engine.wait_for("head 3"), "head 3: POST / number 3 of connection 1");
}

TEST(Http, pipelined_requests_are_answered_in_order) {
  Service service;
  RawClient client(service.url());
  std::string all;
  for (int i = 0; i < 500; ++i) all += post("/", std::to_string(i)) + get("/");
  client.send(all);
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(client.answer(), answer(std::to_string(i)));
    EXPECT_EQ(client.answer(), answer(""));
  }
}

TEST(Http, pipelined_requests_wait_behind_a_delayed_answer) {
  Service service;
  service.engine.at_body["/slow"] = [](Instant now) {
    return plan(
        {wire::WaitUntil{now + std::chrono::milliseconds(30)}, ok("slow"), wire::KeepAlive{}});
  };
  RawClient client(service.url());
  client.send(get("/slow") + post("/", "fast"));
  EXPECT_EQ(client.answer(), answer("slow"));
  EXPECT_EQ(client.answer(), answer("fast"));
}

TEST(Http, requests_are_read_at_every_fragment_size) {
  Service service;
  for (const std::size_t size : kFragments) {
    RawClient client(service.url());
    client.send_in_pieces(post("/", "hello") + post("/", "again"), size);
    EXPECT_EQ(client.answer(), answer("hello")) << size;
    EXPECT_EQ(client.answer(), answer("again")) << size;
  }
}

TEST(Http, chunked_request_is_decoded) {
  Service service;
  RawClient client(service.url());
  client.send(
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
  EXPECT_EQ(client.answer(), answer("abcde"));
}

TEST(Http, large_body_arrives_whole) {
  Service service;
  RawClient client(service.url());
  const std::string body(3'000'000, 'b');
  service.engine.at_body["/"] = [](Instant) { return plan({ok("read"), wire::KeepAlive{}}); };
  client.send(post("/", body));
  EXPECT_EQ(client.answer(), answer("read"));
  EXPECT_EQ(service.engine.wait_for("body 1"), "body 1: 3000000 bytes");
}

TEST(Http, large_answer_leaves_whole_though_the_client_reads_late) {
  Service service;
  const std::string body(8'000'000, 'b');
  service.engine.at_body["/"] = [&](Instant) { return plan({ok(body), wire::KeepAlive{}}); };
  RawClient client(service.url());
  client.send(get("/"));
  RawClient other(service.url());  // has its turn while the first one's answer is stuck
  other.send(post("/other", "x"));
  EXPECT_EQ(other.answer(), answer("x"));
  EXPECT_EQ(client.answer().size(), answer(body).size());
  EXPECT_EQ(service.engine.delivery(1).bytes, answer(body).size());
}

TEST(Http, interim_answer_lets_the_body_come) {
  Service service;
  service.engine.at_head["/"] = [](Instant) {
    return plan({write("HTTP/1.1 100 Continue\r\n\r\n", false), wire::ReadTo{}});
  };
  RawClient client(service.url());
  client.send("PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.receive(25).bytes, "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("ab");
  EXPECT_EQ(client.answer(), answer("ab"));
}

TEST(Http, head_only_answer_keeps_the_connection) {
  Service service;
  service.engine.at_body["/"] = [](Instant) {
    return plan({write("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n"), wire::KeepAlive{}});
  };
  RawClient client(service.url());
  client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.answer(true), "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n");
  client.send(post("/next", "x"));
  EXPECT_EQ(client.answer(), answer("x"));
}

TEST(Http, old_version_and_absolute_form_are_read) {
  Service service;
  RawClient client(service.url());
  client.send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.answer(), answer(""));
  client.send("GET http://x/p?q HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.answer(), answer(""));
  EXPECT_EQ(service.engine.wait_for("head 2"), "head 2: GET http://x/p?q number 2 of connection 1");
}

TEST(Http, half_closing_client_gets_its_answer) {
  Service service;
  service.engine.at_body["/"] = [](Instant now) {
    return plan({wire::WaitUntil{now + std::chrono::milliseconds(20)}, ok("late"),
                 wire::Close{.staged = true}});
  };
  RawClient client(service.url());
  service.on_loop([&] {  // the server sees request and FIN together
    client.send(get("/"));
    client.half_close();
  });
  const Received received = client.receive_all();
  EXPECT_EQ(received.bytes, answer("late"));
  EXPECT_EQ(received.end, Seen::fin);
}

// "printf ... | nc": the FIN is a segment of its own, some time behind the request.
TEST(Http, half_close_right_behind_the_request_is_none_of_the_clients_leaving) {
  Service service;
  std::unique_ptr<RawClient> client;
  service.engine.at_body["/"] = [&](Instant now) {
    client->half_close();  // the request is read, and nothing is answered yet
    return plan({wire::WaitUntil{now + std::chrono::milliseconds(20)}, ok("late"),
                 wire::Close{.staged = true}});
  };
  client = std::make_unique<RawClient>(service.url());
  client->send(get("/"));
  EXPECT_EQ(client->receive_all().bytes, answer("late"));
  EXPECT_EQ(service.engine.delivery(1).peer, wire::Delivery::Peer::stayed);
}

TEST(Http, client_that_closes_right_behind_its_request_left_when_its_fin_came) {
  Service service;
  service.engine.at_body["/"] = [](Instant now) {
    return plan({wire::WaitUntil{now + std::chrono::milliseconds(20)}, ok("late"),
                 wire::Close{.staged = true}});
  };
  RawClient client(service.url());
  service.on_loop([&] {
    client.send(get("/"));
    client.close();
  });
  const wire::Delivery delivery = service.engine.delivery(1);
  EXPECT_EQ(delivery.peer, wire::Delivery::Peer::closed);
  EXPECT_LT(*delivery.peer_left, *delivery.r_min);
}

TEST(Http, chunk_that_no_count_can_hold_is_refused_at_once) {
  Service service;
  RawClient client(service.url());
  client.send(
      "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n8000000000000000\r\n");
  const Received received = client.receive_all();
  EXPECT_THAT(received.bytes, StartsWith("HTTP/1.1 400"));
  EXPECT_EQ(received.end, Seen::fin);
}

TEST(Http, chunk_line_without_an_end_is_refused) {
  Service service({.parser = {.head_bytes = 1'000}});
  RawClient client(service.url());
  client.send("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;" +
              std::string(1'000, 'x'));
  EXPECT_THAT(client.receive_all().bytes, StartsWith("HTTP/1.1 400"));
}

TEST(Http, trailers_without_an_end_are_refused) {
  Service service({.parser = {.head_bytes = 1'000}});
  RawClient client(service.url());
  client.send("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: " +
              std::string(1'000, 'x'));
  EXPECT_THAT(client.receive_all().bytes, StartsWith("HTTP/1.1 431"));
}

TEST(Http, connection_without_a_byte_is_no_attempt) {
  Service service;
  {
    const RawClient client(service.url());
    EXPECT_EQ(service.engine.wait_for("connected"), "connected 1 on 0 from 127.0.0.1");
  }
  EXPECT_EQ(service.engine.wait_for("disconnected"), "disconnected 1 by peer after 0 bytes");
  EXPECT_EQ(service.engine.lines().size(), 2u);
}

TEST(Http, half_a_head_is_malformed) {
  Service service;
  RawClient client(service.url());
  client.send("GET / HTTP/1.1\r\nHos");
  client.half_close();
  const Received received = client.receive_all();
  EXPECT_THAT(received.bytes, StartsWith("HTTP/1.1 400"));
  EXPECT_EQ(received.end, Seen::fin);
}

TEST(Http, reset_in_the_head_is_malformed_and_peer_left) {
  Service service;
  RawClient client(service.url());
  service.on_loop([&] {  // the server sees bytes and RST together
    client.send("GET / HTTP/1.1\r\nHos");
    client.reset();
  });
  EXPECT_EQ(service.engine.wait_for("finished 1"), "finished 1: 0 actions, 0 bytes, peer reset");
  EXPECT_THAT(service.engine.wait_for("disconnected"), StartsWith("disconnected 1 by peer_reset"));
}

TEST(Http, reset_together_with_the_request_cuts_the_plan) {
  Service service;
  service.engine.at_body["/"] = [](Instant) { return plan({wire::Hold{}}); };
  RawClient client(service.url());
  service.on_loop([&] {
    client.send(get("/"));
    client.reset();
  });
  EXPECT_EQ(service.engine.wait_for("finished 1"), "finished 1: 1 actions, 0 bytes, peer reset");
  EXPECT_THAT(service.engine.wait_for("disconnected"), StartsWith("disconnected 1 by peer_reset"));
}

TEST(Http, client_that_leaves_in_the_body_cuts_the_plan) {
  Service service;
  RawClient client(service.url());
  client.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab");
  service.engine.wait_for("head 1");
  client.close();
  EXPECT_EQ(service.engine.wait_for("finished 1"), "finished 1: 0 actions, 0 bytes, peer closed");
  EXPECT_EQ(service.engine.wait_for("disconnected"), "disconnected 1 by peer after 48 bytes");
}

TEST(Http, malformed_chunk_ends_the_attempt_and_the_connection) {
  Service service;
  RawClient client(service.url());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
  const Received received = client.receive_all();
  EXPECT_THAT(received.bytes, StartsWith("HTTP/1.1 400"));
  EXPECT_EQ(received.end, Seen::fin);
  EXPECT_EQ(service.engine.wait_for("refused body"), "refused body 1: 400");
  EXPECT_THAT(service.engine.wait_for("finished 1"), StartsWith("finished 1: 2 actions"));
}

struct BadRequest {
  const char* name;
  std::string sent;
  std::string status;
};

class MalformedTable : public testing::TestWithParam<BadRequest> {};

TEST_P(MalformedTable, is_answered_with_its_status_and_a_fin) {
  Service service;
  for (const std::size_t size : kFragments) {
    RawClient client(service.url());
    client.send_in_pieces(GetParam().sent, size);
    const Received received = client.receive_all();
    EXPECT_THAT(received.bytes, StartsWith("HTTP/1.1 " + GetParam().status)) << size;
    EXPECT_EQ(received.end, Seen::fin) << size;
  }
  RawClient next(service.url());
  next.send(post("/", "served still"));
  EXPECT_EQ(next.answer(), answer("served still"));
}

INSTANTIATE_TEST_SUITE_P(
    requests, MalformedTable,
    testing::Values(
        BadRequest{"tls_on_the_plain_port", "\x16\x03\x01\x02\x01\x01\x01\xfc\x03\x03", "400"},
        BadRequest{"bare_lf", "GET / HTTP/1.1\nHost: x\n\n", "400"},
        BadRequest{"two_lengths",
                   "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
                   "400"},
        BadRequest{"no_host", "GET / HTTP/1.1\r\n\r\n", "400"},
        BadRequest{"unknown_method", "BREW / HTTP/1.1\r\nHost: x\r\n\r\n", "501"},
        BadRequest{"version", "GET / HTTP/3.0\r\nHost: x\r\n\r\n", "505"},
        BadRequest{"body_over_the_limit",
                   "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 16000001\r\n\r\n", "413"}),
    [](const auto& row) { return row.param.name; });

// More than any socket buffer holds, so that the server has to drain it.
TEST(Http, endless_head_is_bounded_and_delays_nobody) {
  Service service;
  RawClient flood(service.url());
  flood.send("GET / HTTP/1.1\r\nHost: x\r\nA: ");
  const std::string megabyte(1'000'000, 'a');
  for (int i = 0; i < 100; ++i) {
    flood.send(megabyte);
    if (i % 20 != 0) continue;
    RawClient other(service.url());
    other.send(post("/", "served"));
    EXPECT_EQ(other.answer(), answer("served"));
  }
  EXPECT_THAT(flood.answer(), StartsWith("HTTP/1.1 431"));
  EXPECT_EQ(service.engine.wait_for("malformed"), "malformed 1: 431 number 1");
}

TEST(Http, several_listeners_are_told_apart) {
  Service service({.listeners = 3});
  const auto urls = service.urls();
  ASSERT_EQ(urls.size(), 3u);
  const RawClient client(urls[2]);
  EXPECT_EQ(service.engine.wait_for("connected"), "connected 1 on 2 from 127.0.0.1");
}

TEST(Http, connections_over_the_limit_wait_aloud) {
  std::vector<std::string> said;
  Service service(
      {.connections_max = 1, .say = [&](std::string_view text) { said.emplace_back(text); }});
  auto first = std::make_unique<RawClient>(service.url());
  first->send(post("/", "1"));
  EXPECT_EQ(first->answer(), answer("1"));
  RawClient second(service.url());
  second.send(post("/", "2"));
  EXPECT_TRUE(second.silent());
  first.reset();
  EXPECT_EQ(second.answer(), answer("2"));
  service.on_loop([&] {
    EXPECT_EQ(said, std::vector<std::string>{
                        "accepting no connections for now: the limit of connections is reached"});
  });
}

TEST(Http, port_in_use_is_an_error_with_its_address) {
  Service service;
  const std::string port = service.url().substr(service.url().rfind(':') + 1);
  const auto taken = listen_on("127.0.0.1", static_cast<std::uint16_t>(std::stoi(port)));
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::machine);
  EXPECT_EQ(taken.error().where, "127.0.0.1:" + port);
  EXPECT_EQ(taken.error().message, "Address already in use");
}

TEST(Http, stop_ends_every_connection) {
  Service service;
  service.engine.at_body["/"] = [](Instant) { return plan({wire::Hold{}}); };
  RawClient idle(service.url());
  RawClient held(service.url());
  held.send(get("/"));
  service.engine.wait_for("body 1");
  service.on_loop([&] { service.server->stop(); });
  EXPECT_EQ(idle.receive_all().end, Seen::fin);
  EXPECT_EQ(held.receive_all().end, Seen::fin);
}

}  // namespace
}  // namespace retrylab::net
