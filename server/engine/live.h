// SPDX-License-Identifier: MIT
// What the engine keeps of an attempt between its head and the end of its plan, of a connection
// while it is open, and of a route while the run lasts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "client_lib/base/random.h"
#include "server/engine/manner.h"
#include "server/engine/places.h"
#include "server/engine/plan_builder.h"
#include "server/engine/rate_limiter.h"
#include "server/engine/reply.h"
#include "server/engine/script.h"
#include "server/journal/record.h"
#include "server/scenario/scenario.h"

namespace retrylab::engine {

// What an attempt gets, once decided.
struct Decision {
  journal::Source source = journal::Source::unmatched;
  const scenario::Step* step = nullptr;      // whose answer it is; null: `reply`
  std::shared_ptr<const Reply> reply;        // the server's own answer, or a stored one
  const journal::Text* place = nullptr;      // where that stands; null: as the step itself says
  const scenario::Step* change = nullptr;    // an override of the delivery
  const scenario::Outage* outage = nullptr;  // one that gives no answer
  std::optional<std::size_t> claimed;        // index of the script's step
  bool may_execute = false;
  bool may_store = false;  // in the idempotency store, as its rule says
};

// One count of `count_by`.
struct Count {
  std::uint64_t attempts = 0;
  ScriptPosition position;
};

struct Live {
  enum class Stage {
    deciding,      // the body is needed to know what it gets
    reading,       // decided; the body is being read
    awaiting_key,  // the same key is in flight, or all places are taken
    delayed,       // the answer is made when the delay is over
    planned,       // the plan of the answer is out
  };

  std::unique_ptr<journal::Attempt> record;  // until begun(); then the journal has it
  Stage stage = Stage::deciding;
  journal::ConnectionId connection = 0;
  int minor_version = 1;
  bool keep_alive = true;
  bool owns_key = false;      // claimed its key, and nothing is settled yet
  bool decided_late = false;  // the body was needed
  bool left_unread = false;   // some of the body is never read
  std::optional<std::size_t> route;
  Count* count = nullptr;
  std::uint64_t number = 0;  // n-th of its count
  Decision decision;
  std::unique_ptr<LimitState> limit;  // what the route's rate limit said of it
  enum class Place { none, queued, held };
  Place place = Place::none;                 // of the route's capacity
  bool has_kept_alive_faults = false;        // that follow when it is over
  std::unique_ptr<const std::string> body;   // kept only where a later event needs it
  Instant delay_from;                        // when its wait for an answer began
  Instant wait_until = kNever;               // awaiting_key: at the latest
  const scenario::Delay* barrier = nullptr;  // delayed: waits there
  Duration delay{0};                         // drawn

  bool begun() const { return record == nullptr; }

  // The delivery of the plan that is out.
  Stream stream;
  std::vector<FaultMark> marks;
  std::size_t actions = 0;
  bool ends_open = false;     // its last action is a hold without a time
  bool fault_missed = false;  // a planned fault's moment does not exist, or was over
};

struct OpenConnection {
  journal::Text client;
  std::uint32_t listener = 0;
  journal::AttemptId attempt = 0;             // the latest; perhaps over
  Stream stream;                              // what its own faults left of it
  std::vector<FaultMark> marks;               // of the plan while no request is served
  std::size_t due = 0;                        // faults that have not taken place yet
  std::vector<const scenario::Fault*> kills;  // what becomes of its next request
};

// What every request looks at stands first, in one line of the cache: of ten thousand routes a
// request's own is in none.
struct alignas(64) RouteState {
  RouteState(std::uint64_t seed, std::size_t index, const scenario::Route& route,
             const scenario::Limits& limits);

  journal::Text on;           // as written; of every record the same
  std::uint32_t serving = 0;  // attempts now
  bool counts_whole = true;   // count_by route
  bool has_store = false;     // the route has `idempotency`
  bool has_limits = false;    // `rate_limit` or `capacity`
  bool has_overrides = false;
  bool creates = false;
  bool mentions_body = false;  // some answer holds {{request.body}}
  bool was_claimed = false;    // its only step
  // The step that every attempt gets; null where that has to be looked up.
  const scenario::Step* only = nullptr;
  journal::Text only_place;
  Count whole;  // count_by route

  std::vector<journal::Text> steps;               // where they stand
  std::unordered_map<std::string, Count> counts;  // any other count_by
  std::vector<bool> claimed;                      // per step: by some attempt
  std::optional<RateLimiter> limiter;
  Places places;
  // One stream per purpose and route, so that traffic elsewhere changes no draw here.
  Random delay;
  Random service;
  Random chance;
  Random garbage;
  Random resources;
};

}  // namespace retrylab::engine
