// SPDX-License-Identifier: MIT
// A fault is an effect at a moment. Each effect has a file of its own in this folder: how it is
// read from JSON, at which moments it may stand, and the wire actions it becomes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "client_lib/base/random.h"
#include "client_lib/base/time.h"
#include "server/wire/plan.h"

namespace retrylab::scenario {

// In the order in which they come.
enum class Moment {
  accept,
  request_start,     // the first byte has arrived
  request_headers,   // the head is read, the body is not
  request_byte,      // N body bytes are read
  request_end,       // the request is read whole
  response_start,    // before the first response byte
  response_byte,     // after N response bytes
  response_headers,  // after the blank line
  body_byte,         // after N body bytes
  response_end,      // after the last byte
  idle,              // after so long without a request
  next_request,      // when the next request has begun to arrive
};

enum class Phase { connection, reading, writing, kept_alive };
Phase phase(Moment moment);

struct CloseEffect {};      // FIN
struct HalfCloseEffect {};  // FIN, reading goes on
struct ResetEffect {};      // RST
struct StallEffect {
  std::optional<Duration> time;
};  // for ever, or for d and go on
struct GarbageEffect {
  std::string bytes;
  std::uint64_t size = 0;
};                            // given, or seeded
struct LeaveUnreadEffect {};  // answer early, body unread
struct UnsolicitedEffect {
  std::string bytes;
};  // an answer nobody asked for

struct SwallowEffect {};  // the request is read, and nothing is ever said

using Effect = std::variant<CloseEffect, HalfCloseEffect, ResetEffect, StallEffect, GarbageEffect,
                            LeaveUnreadEffect, UnsolicitedEffect, SwallowEffect>;

// How much of a request is read before a fault at request_start or next_request; elsewhere it
// follows from the moment.
enum class ReadBefore { none, head, all };

struct Fault {
  Moment at = Moment::response_start;
  ReadBefore read = ReadBefore::none;
  std::uint64_t byte = 0;  // for request_byte, response_byte, body_byte; at least 1
  Duration idle{0};        // for idle
  Effect effect;
  std::string text;  // as the reports say it: "reset at response_start"
};

// The wire actions of an effect, to stand in a plan at the fault's moment. `random` feeds
// garbage of a size.
std::vector<wire::Action> actions(const Effect& effect, Random& random);

// Nothing of the plan can follow: close, reset, a stall for ever.
bool ends_connection(const Effect& effect);

// The `do` word: "half_close".
std::string_view word(const Effect& effect);

// "reset at response_start", "stall 5s at response_headers", "close at body_byte 100".
std::string describe(const Fault& fault);

}  // namespace retrylab::scenario
