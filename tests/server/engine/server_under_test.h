// SPDX-License-Identifier: MIT
// An engine with a few verbs around it: send a request, read its plan as text, say what was
// delivered. Time is whatever the test says.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/engine/engine.h"
#include "server/journal/recorder.h"
#include "server/scenario/load.h"

namespace retrylab::engine {

// Loads a scenario that has to be right: {"name": "test", ROUTES...}.
scenario::Scenario loaded(std::string_view members);

// Names the cases of a table by their `name`.
struct CaseName {
  template <typename Info>
  std::string operator()(const Info& row) const {
    return std::string(row.param.name);
  }
};

// One action per line: "wait 2s", "read body_end", "write 201 Created", "reset". Writes show
// their first line.
std::vector<std::string> lines_of(const wire::Plan& plan);

// All bytes that a plan writes.
std::string bytes_of(const wire::Plan& plan);

struct SimpleRequest {
  std::string method = "GET";
  std::string target = "/";
  Headers headers;
  std::string body;
  ConnectionId connection = 1;
  std::uint32_t number_on_connection = 1;
  int minor_version = 1;
  bool keep_alive = true;
  Duration unheard{0};  // how long its first byte was there before the engine hears of it
  Duration unread{0};   // and its last
};

SimpleRequest get(std::string target);
SimpleRequest post(std::string target, std::string key = "", std::string body = "{}");

class ServerUnderTest {
 public:
  // `members`: the scenario's members after the name, without braces.
  explicit ServerUnderTest(std::string_view members, std::uint64_t seed = 7);

  Instant now;

  struct Exchange {
    AttemptId id = 0;
    wire::Plan head;     // answered to the head; empty when the answer came at once
    wire::Plan plan;     // of the answer
    int status() const;  // of the first answer written; 0: none
    std::string bytes() const { return bytes_of(plan); }
    std::vector<std::string> lines() const { return lines_of(plan); }
  };

  Answer head(const SimpleRequest& request);
  wire::Plan body(AttemptId attempt, std::string_view bytes);
  // Head and body at once.
  Exchange send(const SimpleRequest& request);
  // The plan of the last event went through, or was cut after `actions_done` by the peer.
  void deliver(const Exchange& exchange);
  void cut(const Exchange& exchange, std::size_t actions_done);
  // Sends, delivers, and gives the status.
  int status_of(const SimpleRequest& request);

  journal::Attempt attempt(AttemptId id) const;
  std::size_t created() const { return recorder_.snapshot().resources.size(); }
  journal::Run run() const { return recorder_.snapshot(); }
  Engine& engine() { return engine_; }

 private:
  scenario::Scenario scenario_;
  journal::Recorder recorder_;
  Engine engine_;
};

}  // namespace retrylab::engine
