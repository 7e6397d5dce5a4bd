// SPDX-License-Identifier: MIT
#include "tests/server/engine/server_under_test.h"

#include <iostream>

#include <fmt/format.h>

#include "client_lib/base/check.h"
#include "client_lib/base/duration_text.h"

namespace retrylab::engine {
namespace {

std::string instant_text(Instant at) {
  return at == kNever ? "ever" : format_duration(at.time_since_epoch());
}

struct Line {
  std::string operator()(const wire::WaitUntil& action) const {
    return "wait " + instant_text(action.at);
  }
  std::string operator()(const wire::ReadTo& action) const {
    switch (action.place) {
      case wire::ReadTo::Place::request_start:
        return "read request_start";
      case wire::ReadTo::Place::head_end:
        return "read head_end";
      case wire::ReadTo::Place::body_byte:
        return fmt::format("read body_byte {}", action.byte);
      case wire::ReadTo::Place::body_end:
        return "read body_end";
    }
    return "";
  }
  std::string operator()(const wire::Write& action) const {
    return fmt::format("write {}{}", first_line(action.bytes.view()),
                       action.completes_head ? " (head)" : "");
  }
  std::string operator()(const wire::WritePaced& action) const {
    return fmt::format("pace {} by {} every {}{}", action.bytes.size(), action.piece,
                       format_duration(action.interval), action.completes_head ? " (head)" : "");
  }
  std::string operator()(const wire::KeepAlive&) const { return "keep_alive"; }
  std::string operator()(const wire::ShutdownWrite&) const { return "shutdown_write"; }
  std::string operator()(const wire::Close& action) const {
    if (action.staged) return "close staged";
    return action.discard_unread ? "close" : "close unread";
  }
  std::string operator()(const wire::Reset&) const { return "reset"; }
  std::string operator()(const wire::Hold& action) const {
    return action.time ? "hold " + format_duration(*action.time) : "hold";
  }
  std::string operator()(const wire::DiscardUnread&) const { return "discard"; }
  std::string operator()(const wire::AskEngine&) const { return "ask"; }
  std::string operator()(const wire::AwaitEngine& action) const {
    return "await " + instant_text(action.until);
  }

  std::string operator()(const wire::ShowCertificate&) const { return "show certificate"; }

  static std::string first_line(std::string_view bytes) {
    return std::string(bytes.substr(0, bytes.find_first_of("\r\n")));
  }
};

std::string_view written_by(const wire::Action& action) {
  if (const auto* write = std::get_if<wire::Write>(&action)) return write->bytes.view();
  if (const auto* paced = std::get_if<wire::WritePaced>(&action)) return paced->bytes.view();
  return {};
}

bool reads_body(const wire::Plan& plan) {
  if (plan.actions.empty()) return false;
  const auto* read = std::get_if<wire::ReadTo>(&plan.actions.back());
  return read != nullptr && read->place == wire::ReadTo::Place::body_end;
}

std::string raw_head(const SimpleRequest& request) {
  std::string raw =
      fmt::format("{} {} HTTP/1.{}\r\n", request.method, request.target, request.minor_version);
  for (const Header& header : request.headers) raw += header.name + ": " + header.value + "\r\n";
  return raw + "\r\n";
}

}  // namespace

scenario::Scenario loaded(std::string_view members) {
  const scenario::ReadFile no_files = [](const std::string& path) -> Result<std::string> {
    return fail(ErrorCode::machine, path, "tests read no files");
  };
  auto scenario = scenario::load(fmt::format(R"({{"name": "test", {}}})", members), no_files);
  if (!scenario) {
    for (const auto& mistake : scenario.error()) {
      std::cerr << scenario::describe("test", mistake) << "\n";
    }
  }
  CHECK(scenario.has_value());
  return *std::move(scenario);
}

std::vector<std::string> lines_of(const wire::Plan& plan) {
  std::vector<std::string> lines;
  for (const wire::Action& action : plan.actions) lines.push_back(std::visit(Line(), action));
  return lines;
}

std::string bytes_of(const wire::Plan& plan) {
  std::string bytes;
  for (const wire::Action& action : plan.actions) bytes += written_by(action);
  return bytes;
}

SimpleRequest get(std::string target) {
  SimpleRequest request;
  request.target = std::move(target);
  return request;
}

SimpleRequest post(std::string target, std::string key, std::string body) {
  SimpleRequest request;
  request.method = "POST";
  request.target = std::move(target);
  request.body = std::move(body);
  if (!key.empty()) request.headers.push_back({"Idempotency-Key", std::move(key)});
  return request;
}

ServerUnderTest::ServerUnderTest(std::string_view members, std::uint64_t seed)
    : scenario_(loaded(members)),
      recorder_(journal::Run(), {}, nullptr),
      engine_(scenario_,
              {seed, WallTime(std::chrono::seconds(1'796'040'000)), "http://localhost:1"},
              recorder_) {
  for (ConnectionId id = 1; id <= 3; ++id) engine_.connected({id, 0, "127.0.0.1"}, now);
}

int ServerUnderTest::Exchange::status() const {
  const std::string text = bytes();
  return text.starts_with("HTTP/1.1 ") ? std::stoi(text.substr(9, 3)) : 0;
}

Answer ServerUnderTest::head(const SimpleRequest& request) {
  const std::string raw = raw_head(request);
  std::vector<HeaderView> views;
  for (const Header& header : request.headers) views.push_back({header.name, header.value});
  HeadEvent event;
  event.connection = request.connection;
  event.number_on_connection = request.number_on_connection;
  event.first_byte = now - request.unheard;
  event.arrived = now - request.unread;
  event.head.method = request.method;
  event.head.target = request.target;
  event.head.minor_version = request.minor_version;
  event.head.headers = views;
  event.head.raw = raw;
  event.head.content_length = request.body.size();
  event.head.keep_alive = request.keep_alive;
  const Headers& headers = request.headers;
  event.head.expects_continue = find_header(headers, "Expect").has_value();
  return engine_.head_arrived(event, now);
}

wire::Plan ServerUnderTest::body(AttemptId attempt, std::string_view bytes) {
  return engine_.body_complete(attempt, {bytes}, now);
}

ServerUnderTest::Exchange ServerUnderTest::send(const SimpleRequest& request) {
  Exchange exchange;
  Answer answer = head(request);
  exchange.id = answer.attempt;
  if (!reads_body(answer.plan)) {
    exchange.plan = std::move(answer.plan);
    return exchange;
  }
  exchange.head = std::move(answer.plan);
  exchange.plan = engine_.body_complete(exchange.id, {request.body, now - request.unread}, now);
  return exchange;
}

void ServerUnderTest::deliver(const Exchange& exchange) {
  wire::Delivery delivery;
  delivery.r_min = delivery.r_max = now;
  delivery.bytes = exchange.bytes().size();
  delivery.actions_done = exchange.plan.actions.size();
  engine_.finished(exchange.id, delivery, now);
}

void ServerUnderTest::cut(const Exchange& exchange, std::size_t actions_done) {
  wire::Delivery delivery;
  delivery.actions_done = actions_done;
  delivery.peer = wire::Delivery::Peer::closed;
  delivery.peer_left = now;
  engine_.finished(exchange.id, delivery, now);
}

int ServerUnderTest::status_of(const SimpleRequest& request) {
  const Exchange exchange = send(request);
  deliver(exchange);
  return exchange.status();
}

journal::Attempt ServerUnderTest::attempt(AttemptId id) const {
  for (const journal::Attempt& attempt : recorder_.snapshot().attempts) {
    if (attempt.id == id) return attempt;
  }
  const bool is_in_the_journal = false;
  CHECK(is_in_the_journal);
  return {};
}

}  // namespace retrylab::engine
