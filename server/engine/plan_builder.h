// SPDX-License-Identifier: MIT
// Builds one wire plan, and remembers where in it each fault ends, so that the delivery can be
// judged: a fault took place when the edge carried its last action out.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "client_lib/base/random.h"
#include "server/engine/manner.h"
#include "server/engine/message.h"
#include "server/wire/plan.h"

namespace retrylab::engine {

// Where a fault ends in its plan. A hold without a time ends only with the connection: it took
// place as soon as it was reached.
struct FaultMark {
  std::size_t last_action = 0;
  bool open_ended = false;
};

// Whether it took place in a plan of which so many actions were carried out.
bool took_place(const FaultMark& mark, std::size_t actions_done);

// What earlier plans of the same attempt left of the stream towards the client.
struct Stream {
  bool writable = true;  // no half-close yet
  bool garbled = false;  // bytes that are no part of an answer went out
};

class PlanBuilder {
 public:
  // `random` feeds garbage; it outlives the builder.
  PlanBuilder(Random& random, Stream stream) : random_(random), stream_(stream) {
    plan_.actions.reserve(2);  // an ordinary answer: a write, and what follows
  }

  void add(wire::Action action) { plan_.actions.push_back(std::move(action)); }

  // The fault's actions at this place.
  void add_fault(const scenario::Fault& fault);

  // The message, with `faults` (of the writing moments) at their bytes and the manner's pace and
  // segment sizes. Bytes that a fault keeps from being written are left out.
  void add_message(Message message, const Manner& manner,
                   std::span<const scenario::Fault* const> faults);

  // What follows on the connection when nothing ended it.
  void add_end(bool keep_alive);
  // The same, with some of the request's body never read.
  void add_end_unread(bool keep_alive);

  bool ended() const { return ended_; }  // a fault ended the connection
  bool writable() const { return stream_.writable && !ended_; }
  Stream stream() const { return stream_; }
  // How long the holds so far last, open-ended ones aside.
  Duration held() const { return held_; }
  std::size_t size() const { return plan_.actions.size(); }
  // A message was added: its head is sent whole and readable; so is all of it.
  bool head_sent() const { return head_sent_; }
  bool complete() const { return complete_; }
  // A fault's moment does not exist in the answer.
  bool moment_missing() const { return moment_missing_; }
  const std::vector<FaultMark>& marks() const { return marks_; }

  wire::Plan take() { return std::move(plan_); }

 private:
  struct Cut {
    std::size_t at = 0;
    const scenario::Fault* fault = nullptr;
  };

  std::vector<Cut> cuts_of(const Message& message, std::span<const scenario::Fault* const> faults);
  void add_whole(Message message);
  void add_cut(const Message& message, const Manner& manner, const std::vector<Cut>& cuts);

  Random& random_;
  wire::Plan plan_;
  std::vector<FaultMark> marks_;
  bool ended_ = false;
  Stream stream_;
  Duration held_{0};
  bool fin_ = false;
  bool head_sent_ = false;
  bool complete_ = false;
  bool moment_missing_ = false;
};

}  // namespace retrylab::engine
