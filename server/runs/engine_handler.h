// SPDX-License-Identifier: MIT
// Hands the edge's events to the engine, which the edge does not know. A request that names
// another run than this one is turned down: it is on the wrong port, or on a connection that went
// to the run of its first request.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/engine/engine.h"
#include "server/net/handler.h"

namespace retrylab::runs {

class EngineHandler final : public net::Handler {
 public:
  // `engine`, of the run with this number, outlives the handler.
  EngineHandler(engine::Engine& engine, std::uint32_t run)
      : engine_(engine), run_(std::to_string(run)) {}

  wire::Plan connected(const wire::NewConnection& connection, Instant now) override;
  wire::Answer head_arrived(const wire::HeadEvent& event, Instant now) override;
  wire::Plan body_complete(wire::AttemptId attempt, wire::BodyView body, Instant now) override;
  wire::Plan refuse_body(wire::AttemptId attempt, int status, std::string_view problem,
                         Instant now) override;
  wire::Plan resume(wire::AttemptId attempt, Instant now) override;
  wire::Plan finished(wire::AttemptId attempt, const wire::Delivery& delivery,
                      Instant now) override;
  wire::Answer malformed(const wire::HeadEvent& event, int status, std::string_view problem,
                         Instant now) override;
  void idle_over(wire::ConnectionId connection, std::size_t actions_done) override;
  wire::Gate gate(Instant now) override;
  void paused(Instant from, Instant until, std::string_view why) override;
  void connection_failed(wire::ConnectionId connection, std::string_view why) override;
  void disconnected(wire::ConnectionId connection, wire::ClosedBy by, std::uint64_t bytes_received,
                    Instant now) override;
  std::vector<wire::AttemptId> take_released() override;

 private:
  engine::Engine& engine_;
  std::string run_;
};

}  // namespace retrylab::runs
