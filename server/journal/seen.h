// SPDX-License-Identifier: MIT
// What an attempt looked like from the client's side, as far as the server can tell, and when the
// client can have known it (RULES.md B0).
#pragma once

#include <optional>
#include <string_view>

#include "client_lib/base/time.h"
#include "server/journal/record.h"

namespace retrylab::journal {

struct Seen {
  enum class Kind {
    answered,   // a complete answer with `status`
    reset,      // RST before any byte of an answer
    closed,     // FIN before any byte of an answer
    truncated,  // an answer that broke off; `status` when its head was whole
    malformed,  // bytes that are no HTTP answer
    left,       // the client left first: a timeout; `status` when the head was there already
    nothing,    // neither an answer nor an end: still waiting when the run ended
  };
  Kind kind = Kind::nothing;
  int status = 0;  // 0: the client cannot know any
  // The client cannot have known before `from`, and knew at `until` unless bytes were on their
  // way. Nothing: it never knew.
  std::optional<Instant> from;
  std::optional<Instant> until;
  // A planned fault did not take place, or this host could not write: what the scenario meant to
  // show was not shown.
  bool spoiled = false;

  bool answered() const { return kind == Kind::answered; }
  bool success() const { return answered() && status >= 200 && status < 300; }
  // No status: the connection or the client's patience ended.
  bool broken() const { return kind != Kind::answered; }
};

Seen seen_of(const Attempt& attempt);

// "a 503", "a reset", "a cut-off 201", "a timeout": as the object of "after".
std::string describe(const Seen& seen);

std::string_view word(Seen::Kind kind);

}  // namespace retrylab::journal
