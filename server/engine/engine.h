// SPDX-License-Identifier: MIT
// The scenario engine: requests and events in, plans out. It opens no socket and reads no clock;
// `now` comes with every event and is the same for the whole event. One engine serves one run,
// from one thread.
//
// The life of a request:
//   connected      -> a plan for the connection (usually empty)
//   head_arrived   -> a plan; usually just "read to body_end"
//   body_complete  -> the plan of the answer
//   resume         -> when a plan asked for it (AskEngine, AwaitEngine)
//   finished       -> the plan is over; answers with what an idle connection does
//   disconnected
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client_lib/base/time.h"
#include "server/journal/recorder.h"
#include "server/scenario/scenario.h"
#include "server/wire/plan.h"
#include "server/wire/request.h"

namespace retrylab::engine {

using wire::Answer;
using wire::AttemptId;
using wire::BodyView;
using wire::ConnectionId;
using wire::HeaderView;
using wire::HeadEvent;
using wire::NewConnection;
using wire::RequestHead;

struct Options {
  std::uint64_t seed = 0;
  WallTime wall_origin;  // the wall clock at Instant zero
  std::string run_url;   // {{run.url}}
};

class Engine {
 public:
  // `scenario` and `recorder` outlive the engine.
  Engine(const scenario::Scenario& scenario, Options options, journal::Recorder& recorder);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // The `connections` script claims a position. An empty plan: read the first request.
  wire::Plan connected(const NewConnection& connection, Instant now);

  // Claims a step unless the decision needs the body first.
  Answer head_arrived(const HeadEvent& event, Instant now);

  // The plan reached ReadTo{body_end}: the answer's plan replaces the rest.
  wire::Plan body_complete(AttemptId attempt, BodyView body, Instant now);

  // The body cannot be read: answered like malformed(), as the end of this attempt. An empty plan
  // when its answer is out already.
  wire::Plan refuse_body(AttemptId attempt, int status, std::string_view problem, Instant now);

  // The plan reached AskEngine, or AwaitEngine's time is up.
  wire::Plan resume(AttemptId attempt, Instant now);

  // The plan is over or was cut short. What follows on a connection that lives on: an empty plan
  // reads the next request.
  wire::Plan finished(AttemptId attempt, const wire::Delivery& delivery, Instant now);

  // Bytes that are not a request (or over a limit): journalled, answered by `status` (400, 413,
  // 414, 431, 501, 505) and a close. `raw` is the beginning of what came.
  Answer malformed(const HeadEvent& event, int status, std::string_view problem, Instant now);

  // The plan of connected() or finished() is over, carried out so far: it went through, a request
  // came, or the peer left.
  void idle_over(ConnectionId connection, std::size_t actions_done);

  // Whether the listeners are to be open; asked after every connected(), and at `until`.
  wire::Gate gate(Instant now);

  // For the journal: nobody could connect meanwhile, for a reason of the host.
  void paused(Instant from, Instant until, std::string_view why);

  // Before disconnected(), for the journal: what was wrong with it, beneath all requests.
  void connection_failed(ConnectionId connection, std::string_view why);

  // The connection is gone, for whatever reason.
  void disconnected(ConnectionId connection, journal::Connection::ClosedBy by,
                    std::uint64_t bytes_received, Instant now);

  // Attempts whose AwaitEngine is over, since the last call; their plans by resume().
  std::vector<AttemptId> take_released();

  // The run's time zero, which outages and `elapsed` count from; nothing until it is known.
  std::optional<Instant> time_zero() const;

  // Script positions that no attempt claimed.
  std::uint32_t steps_unused() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace retrylab::engine
