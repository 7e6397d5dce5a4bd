// SPDX-License-Identifier: MIT
// What the edge tells: connections and requests as it read them. The counterpart of plan.h; the
// views live as long as the call that carries them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "client_lib/base/time.h"
#include "server/wire/plan.h"

namespace retrylab::wire {

// 1-based within a run; the journal's numbers.
using AttemptId = std::uint64_t;
using ConnectionId = std::uint64_t;

struct HeaderView {
  std::string_view name;
  std::string_view value;  // without surrounding blanks
};

// A request's head.
struct RequestHead {
  std::string_view method;
  std::string_view target;  // as on the wire: origin-form, absolute-form or "*"
  int minor_version = 1;    // HTTP/1.minor
  std::span<const HeaderView> headers;
  std::string_view raw;  // request line to the blank line
  std::optional<std::uint64_t> content_length;
  bool chunked = false;
  bool keep_alive = true;  // what the client asked for, by version and Connection
  bool expects_continue = false;
};

struct NewConnection {
  ConnectionId id = 0;
  std::uint32_t listener = 0;
  std::string client;  // peer address without port
  // It came in by another run's port: what happens to connections of this run's does not to it.
  bool by_other_port = false;
};

struct HeadEvent {
  ConnectionId connection = 0;
  std::uint32_t number_on_connection = 1;
  Instant first_byte;
  bool first_byte_from_kernel = false;
  // When the last byte of what is told here had reached this host, where that is known: not before
  // it did, and not after the event. A delay counts from there.
  std::optional<Instant> arrived;
  RequestHead head;
};

struct BodyView {
  std::string_view bytes;          // decoded: without chunk sizes
  std::optional<Instant> arrived;  // as HeadEvent's
};

// Who ended a connection: a client's FIN or RST, or this side.
enum class ClosedBy { peer, peer_reset, server };

struct Answer {
  AttemptId attempt = 0;
  Plan plan;
};

}  // namespace retrylab::wire
