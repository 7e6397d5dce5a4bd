// SPDX-License-Identifier: MIT
// A server on loopback whose plans a test writes itself, by target. Every event is noted as one
// line of text.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "server/net/event_loop.h"
#include "server/net/handler.h"
#include "server/net/server.h"

namespace retrylab::net {

// A plan for the attempt or connection that gets it, made when it is needed.
using MakePlan = std::function<wire::Plan(Instant now)>;

wire::Write write(std::string bytes, bool completes_head = true);
// A whole answer with that body.
wire::Write ok(const std::string& body);
wire::Plan plan(std::vector<wire::Action> actions);

class FakeEngine final : public Handler {
 public:
  // By target; set before the first request. Without one: the body is read and echoed.
  std::map<std::string, MakePlan> at_head;
  std::map<std::string, MakePlan> at_body;
  std::map<std::string, MakePlan> at_resume;
  std::map<std::string, MakePlan> at_finish;
  MakePlan at_connect;
  std::function<wire::Gate(Instant now)> at_gate;
  std::vector<wire::AttemptId> released;  // given out at the next take_released()

  wire::Plan connected(const wire::NewConnection& connection, Instant now) override;
  wire::Answer head_arrived(const wire::HeadEvent& event, Instant now) override;
  wire::Plan body_complete(wire::AttemptId attempt, wire::BodyView body, Instant now) override;
  wire::Plan refuse_body(wire::AttemptId attempt, int status, std::string_view problem,
                         Instant now) override;
  wire::Plan resume(wire::AttemptId attempt, Instant now) override;
  void idle_over(wire::ConnectionId connection, std::size_t actions_done) override;
  wire::Gate gate(Instant now) override { return at_gate ? at_gate(now) : wire::Gate{}; }
  void paused(Instant from, Instant until, std::string_view why) override;
  wire::Plan finished(wire::AttemptId attempt, const wire::Delivery& delivery,
                      Instant now) override;
  wire::Answer malformed(const wire::HeadEvent& event, int status, std::string_view problem,
                         Instant now) override;
  void disconnected(wire::ConnectionId connection, wire::ClosedBy by, std::uint64_t bytes_received,
                    Instant now) override;
  std::vector<wire::AttemptId> take_released() override { return std::exchange(released, {}); }

  void note(std::string line);
  // All lines so far.
  std::vector<std::string> lines();
  // The first line that begins so, waited for; "" when it does not come.
  std::string wait_for(const std::string& beginning);
  wire::Delivery delivery(wire::AttemptId attempt);
  wire::HeadEvent head(wire::AttemptId attempt);  // without its views

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
  std::map<wire::AttemptId, std::string> targets_;
  std::map<wire::AttemptId, wire::Delivery> deliveries_;
  std::map<wire::AttemptId, wire::HeadEvent> heads_;
  wire::AttemptId last_ = 0;
};

class Service {
 public:
  explicit Service(ServerOptions options = {});
  ~Service();

  // Listens; the engine's plans are set by then.
  const std::string& url();
  std::vector<std::string> urls();
  // Runs on the loop's thread, and returns when it is done.
  void on_loop(const std::function<void()>& work);

  FakeEngine engine;
  Clock clock;
  std::shared_ptr<Server> server;

 private:
  ServerOptions options_;
  EventLoop loop_;
  std::thread thread_;
};

}  // namespace retrylab::net
