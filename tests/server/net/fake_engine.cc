// SPDX-License-Identifier: MIT
#include "tests/server/net/fake_engine.h"

#include <chrono>
#include <future>
#include <utility>

#include "client_lib/base/check.h"

namespace retrylab::net {
namespace {

constexpr auto kPatience = std::chrono::seconds(5);

std::string peer_word(wire::Delivery::Peer peer) {
  switch (peer) {
    case wire::Delivery::Peer::stayed:
      return "stayed";
    case wire::Delivery::Peer::closed:
      return "closed";
    case wire::Delivery::Peer::reset:
      return "reset";
  }
  return "";
}

std::string by_word(wire::ClosedBy by) {
  switch (by) {
    case wire::ClosedBy::peer:
      return "peer";
    case wire::ClosedBy::peer_reset:
      return "peer_reset";
    case wire::ClosedBy::server:
      return "server";
  }
  return "";
}

}  // namespace

wire::Write write(std::string bytes, bool completes_head) {
  return {.bytes = std::move(bytes), .completes_head = completes_head};
}

wire::Write ok(const std::string& body) {
  return write("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
               body);
}

wire::Plan plan(std::vector<wire::Action> actions) {
  return {std::move(actions)};
}

wire::Plan FakeEngine::connected(const wire::NewConnection& connection, Instant now) {
  note("connected " + std::to_string(connection.id) + " on " + std::to_string(connection.listener) +
       " from " + connection.client);
  return at_connect ? at_connect(now) : wire::Plan{};
}

wire::Answer FakeEngine::head_arrived(const wire::HeadEvent& event, Instant now) {
  const wire::AttemptId id = ++last_;
  const std::string target(event.head.target);
  {
    const std::lock_guard lock(mutex_);
    targets_[id] = target;
    heads_[id] = event;
  }
  note("head " + std::to_string(id) + ": " + std::string(event.head.method) + " " + target +
       " number " + std::to_string(event.number_on_connection) + " of connection " +
       std::to_string(event.connection));
  const auto found = at_head.find(target);
  return {id, found == at_head.end() ? plan({wire::ReadTo{}}) : found->second(now)};
}

wire::Plan FakeEngine::body_complete(wire::AttemptId attempt, wire::BodyView body, Instant now) {
  note("body " + std::to_string(attempt) + ": " + std::to_string(body.bytes.size()) + " bytes");
  const auto found = at_body.find(targets_[attempt]);
  if (found != at_body.end()) return found->second(now);
  return plan({ok(std::string(body.bytes)), wire::KeepAlive{}});
}

wire::Plan FakeEngine::refuse_body(wire::AttemptId attempt, int status, std::string_view, Instant) {
  note("refused body " + std::to_string(attempt) + ": " + std::to_string(status));
  return plan({write("HTTP/1.1 " + std::to_string(status) +
                     " No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
               wire::Close{.staged = true}});
}

void FakeEngine::idle_over(wire::ConnectionId connection, std::size_t actions_done) {
  note("idle over " + std::to_string(connection) + ": " + std::to_string(actions_done) +
       " actions");
}

void FakeEngine::paused(Instant, Instant, std::string_view why) {
  note("paused: " + std::string(why));
}

wire::Plan FakeEngine::resume(wire::AttemptId attempt, Instant now) {
  note("resume " + std::to_string(attempt));
  return at_resume.at(targets_[attempt])(now);
}

wire::Plan FakeEngine::finished(wire::AttemptId attempt, const wire::Delivery& delivery,
                                Instant now) {
  {
    const std::lock_guard lock(mutex_);
    deliveries_[attempt] = delivery;
  }
  note("finished " + std::to_string(attempt) + ": " + std::to_string(delivery.actions_done) +
       " actions, " + std::to_string(delivery.bytes) + " bytes, peer " + peer_word(delivery.peer));
  const auto found = at_finish.find(targets_[attempt]);
  return found == at_finish.end() ? wire::Plan{} : found->second(now);
}

wire::Answer FakeEngine::malformed(const wire::HeadEvent& event, int status, std::string_view,
                                   Instant) {
  const wire::AttemptId id = ++last_;
  note("malformed " + std::to_string(id) + ": " + std::to_string(status) + " number " +
       std::to_string(event.number_on_connection));
  return {id, plan({write("HTTP/1.1 " + std::to_string(status) +
                          " No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
                    wire::Close{.staged = true}})};
}

void FakeEngine::disconnected(wire::ConnectionId connection, wire::ClosedBy by,
                              std::uint64_t bytes_received, Instant) {
  note("disconnected " + std::to_string(connection) + " by " + by_word(by) + " after " +
       std::to_string(bytes_received) + " bytes");
}

void FakeEngine::note(std::string line) {
  const std::lock_guard lock(mutex_);
  lines_.push_back(std::move(line));
  changed_.notify_all();
}

std::vector<std::string> FakeEngine::lines() {
  const std::lock_guard lock(mutex_);
  return lines_;
}

std::string FakeEngine::wait_for(const std::string& beginning) {
  std::unique_lock lock(mutex_);
  std::string found;
  changed_.wait_for(lock, kPatience, [&] {
    for (const auto& line : lines_) {
      if (line.starts_with(beginning)) found = line;
      if (!found.empty()) return true;
    }
    return false;
  });
  return found;
}

wire::Delivery FakeEngine::delivery(wire::AttemptId attempt) {
  CHECK(!wait_for("finished " + std::to_string(attempt)).empty());
  const std::lock_guard lock(mutex_);
  return deliveries_[attempt];
}

wire::HeadEvent FakeEngine::head(wire::AttemptId attempt) {
  CHECK(!wait_for("head " + std::to_string(attempt)).empty());
  const std::lock_guard lock(mutex_);
  return heads_[attempt];
}

Service::Service(ServerOptions options)
    : options_(std::move(options)), thread_([this] { loop_.run(); }) {}

Service::~Service() {
  on_loop([this] {
    if (server) server->stop();
  });
  on_loop([this] { server.reset(); });  // after what stop() has posted; its timer is of the loop
  loop_.stop();
  thread_.join();
}

const std::string& Service::url() {
  on_loop([this] {
    if (server) return;
    auto listening = Server::listen(loop_, clock, options_);
    CHECK(listening);
    server = *listening;
    server->serve(engine);
  });
  return server->urls().front();
}

std::vector<std::string> Service::urls() {
  url();
  return server->urls();
}

void Service::on_loop(const std::function<void()>& work) {
  std::promise<void> done;
  loop_.post([&] {
    work();
    done.set_value();
  });
  done.get_future().wait();
}

}  // namespace retrylab::net
