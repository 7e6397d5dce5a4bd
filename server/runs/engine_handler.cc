// SPDX-License-Identifier: MIT
#include "server/runs/engine_handler.h"

#include <fmt/format.h>

#include "client_lib/base/http.h"
#include "server/runs/run_header.h"

namespace retrylab::runs {
namespace {

journal::Connection::ClosedBy journal_word(wire::ClosedBy by) {
  switch (by) {
    case wire::ClosedBy::peer:
      return journal::Connection::ClosedBy::peer;
    case wire::ClosedBy::peer_reset:
      return journal::Connection::ClosedBy::peer_reset;
    case wire::ClosedBy::server:
      return journal::Connection::ClosedBy::server;
  }
  return journal::Connection::ClosedBy::nobody;
}

}  // namespace

wire::Plan EngineHandler::connected(const wire::NewConnection& connection, Instant now) {
  return engine_.connected(connection, now);
}

wire::Answer EngineHandler::head_arrived(const wire::HeadEvent& event, Instant now) {
  for (const wire::HeaderView& header : event.head.headers) {
    if (!same_name(header.name, kRunHeader) || header.value == run_) continue;
    return engine_.malformed(
        event, 400,
        fmt::format("{} is \"{}\", but this is run {}: the header goes with the first request of a "
                    "connection to the main port, and the run has to be alive",
                    kRunHeader, header.value, run_),
        now);
  }
  return engine_.head_arrived(event, now);
}

wire::Plan EngineHandler::body_complete(wire::AttemptId attempt, wire::BodyView body, Instant now) {
  return engine_.body_complete(attempt, body, now);
}

wire::Plan EngineHandler::refuse_body(wire::AttemptId attempt, int status, std::string_view problem,
                                      Instant now) {
  return engine_.refuse_body(attempt, status, problem, now);
}

void EngineHandler::idle_over(wire::ConnectionId connection, std::size_t actions_done) {
  engine_.idle_over(connection, actions_done);
}

wire::Gate EngineHandler::gate(Instant now) {
  return engine_.gate(now);
}

void EngineHandler::paused(Instant from, Instant until, std::string_view why) {
  engine_.paused(from, until, why);
}

wire::Plan EngineHandler::resume(wire::AttemptId attempt, Instant now) {
  return engine_.resume(attempt, now);
}

wire::Plan EngineHandler::finished(wire::AttemptId attempt, const wire::Delivery& delivery,
                                   Instant now) {
  return engine_.finished(attempt, delivery, now);
}

wire::Answer EngineHandler::malformed(const wire::HeadEvent& event, int status,
                                      std::string_view problem, Instant now) {
  return engine_.malformed(event, status, problem, now);
}

void EngineHandler::connection_failed(wire::ConnectionId connection, std::string_view why) {
  engine_.connection_failed(connection, why);
}

void EngineHandler::disconnected(wire::ConnectionId connection, wire::ClosedBy by,
                                 std::uint64_t bytes_received, Instant now) {
  engine_.disconnected(connection, journal_word(by), bytes_received, now);
}

std::vector<wire::AttemptId> EngineHandler::take_released() {
  return engine_.take_released();
}

}  // namespace retrylab::runs
