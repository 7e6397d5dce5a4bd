// SPDX-License-Identifier: MIT
// What the edge tells and asks: the events of the engine, whose contract is in
// server/engine/engine.h. An interface, so that the edge links no scenario and tests can answer
// with plans of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "server/wire/request.h"

namespace retrylab::net {

class Handler {
 public:
  virtual ~Handler() = default;
  virtual wire::Plan connected(const wire::NewConnection& connection, Instant now) = 0;
  virtual wire::Answer head_arrived(const wire::HeadEvent& event, Instant now) = 0;
  virtual wire::Plan body_complete(wire::AttemptId attempt, wire::BodyView body, Instant now) = 0;
  virtual wire::Plan refuse_body(wire::AttemptId attempt, int status, std::string_view problem,
                                 Instant now) = 0;
  virtual wire::Plan resume(wire::AttemptId attempt, Instant now) = 0;
  virtual wire::Plan finished(wire::AttemptId attempt, const wire::Delivery& delivery,
                              Instant now) = 0;
  virtual wire::Answer malformed(const wire::HeadEvent& event, int status, std::string_view problem,
                                 Instant now) = 0;
  virtual void idle_over(wire::ConnectionId connection, std::size_t actions_done) = 0;
  virtual wire::Gate gate(Instant now) = 0;
  virtual void paused(Instant from, Instant until, std::string_view why) = 0;
  // Before disconnected(): what was wrong with it, beneath all requests.
  virtual void connection_failed(wire::ConnectionId /*connection*/, std::string_view /*why*/) {}
  virtual void disconnected(wire::ConnectionId connection, wire::ClosedBy by,
                            std::uint64_t bytes_received, Instant now) = 0;
  virtual std::vector<wire::AttemptId> take_released() = 0;
};

}  // namespace retrylab::net
