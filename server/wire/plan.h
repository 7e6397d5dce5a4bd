// SPDX-License-Identifier: MIT
// The wire actions: all that the edge knows. The engine answers every event with a plan, a list
// of these values; the edge (sockets or virtual time) carries it out in order. No action names a
// fault: a fault is a choice of actions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "client_lib/base/time.h"

namespace retrylab::wire {

// Bytes that a plan owns, or a slice of bytes that many plans share (a large body).
class Bytes {
 public:
  Bytes() = default;
  Bytes(std::string owned) : bytes_(std::move(owned)) {}  // NOLINT(google-explicit-constructor)
  Bytes(std::shared_ptr<const std::string> shared, std::size_t from, std::size_t to)
      : bytes_(Slice{std::move(shared), from, to}) {}

  std::string_view view() const {
    if (const auto* owned = std::get_if<std::string>(&bytes_)) return *owned;
    const Slice& slice = *std::get_if<Slice>(&bytes_);
    return std::string_view(*slice.of).substr(slice.from, slice.to - slice.from);
  }
  std::size_t size() const { return view().size(); }

 private:
  struct Slice {
    std::shared_ptr<const std::string> of;
    std::size_t from = 0;
    std::size_t to = 0;
  };

  std::variant<std::string, Slice> bytes_;
};

// Do nothing until `at`; never early. On a connection that idles (the plans of
// Engine::connected and Engine::finished) a request that begins to arrive ends the wait, and the
// plan goes on at its next ReadTo; without one the plan is over and the request is read. A stall
// there is a Hold.
struct WaitUntil {
  Instant at;
};

// Read the request up to a place. Reaching body_end hands the body to the engine
// (Engine::body_complete), whose plan replaces the rest of this one.
//
// On a connection that idles the places are those of the next request: its first byte, the end of
// its head, its end. When the plan then leaves the connection open, the request is served.
struct ReadTo {
  enum class Place { request_start, head_end, body_byte, body_end };
  Place place = Place::body_end;
  std::uint64_t byte = 0;  // for body_byte: how many body bytes; a shorter body ends it at its end
};

// Write these bytes. Consecutive writes leave in one system call.
struct Write {
  Bytes bytes;
  // The last byte of the response's head is in here: the edge takes r_min before this write.
  bool completes_head = false;
};

// Write `bytes` in pieces of `piece` bytes, each its own TCP segment, one every `interval`
// counted from the first (absolute deadlines, no drift). interval zero: as fast as possible.
struct WritePaced {
  Bytes bytes;
  std::size_t piece = 1;
  Duration interval{0};
  bool completes_head = false;
};

// The answer is complete; the connection lives on, the next request is read.
struct KeepAlive {};

// Send a FIN and keep reading (half-close).
struct ShutdownWrite {};

// End the connection with a FIN. What has arrived is read and thrown away first, since unread
// bytes would make the kernel send an RST. `staged`: the answer was meant to arrive, so the
// edge half-closes and drains until the peer closes, for a bounded time (RFC 9112 §9.6).
// `discard_unread` false closes with whatever is unread (and so, perhaps, with an RST).
struct Close {
  bool staged = false;
  bool discard_unread = true;
};

// End the connection with an RST (SO_LINGER 0).
struct Reset {};

// Do nothing until the peer leaves, or for `time` and then go on. Reads nothing.
struct Hold {
  std::optional<Duration> time;
};

// Read and throw away what the peer has sent of this request's body and still sends.
struct DiscardUnread {};

// Call Engine::resume, whose plan replaces the rest of this one.
struct AskEngine {};

// Wait until the engine releases this attempt (Engine::take_released), at the latest until
// `until`: then as AskEngine.
struct AwaitEngine {
  Instant until = kNever;
};

// Which certificate the TLS handshake shows; nothing without TLS. Before any byte was read.
struct ShowCertificate {
  enum class Which { right, untrusted, expired, wrong_host };
  Which which = Which::right;
};

using Action = std::variant<WaitUntil, ReadTo, Write, WritePaced, KeepAlive, ShutdownWrite, Close,
                            Reset, Hold, DiscardUnread, AskEngine, AwaitEngine, ShowCertificate>;

struct Plan {
  std::vector<Action> actions;
};

// Whether clients can connect, and when that is to be asked again.
struct Gate {
  bool open = true;
  Instant until = kNever;
};

// What the edge reports when a plan is over, or was cut short.
struct Delivery {
  std::optional<Instant> r_min;  // before the write that completed the head; before a reset/close
  std::optional<Instant> r_max;  // after the last write returned
  std::uint64_t bytes = 0;       // response bytes the kernel took
  std::size_t actions_done = 0;  // how many actions of the last plan were carried out whole
  enum class Peer : std::uint8_t { stayed, closed, reset };
  std::optional<Instant> peer_left;
  Peer peer = Peer::stayed;      // did the client leave before the plan's end?
  bool machine_trouble = false;  // a write failed for a reason of this host
  bool peer_gone() const { return peer != Peer::stayed; }
};

}  // namespace retrylab::wire
