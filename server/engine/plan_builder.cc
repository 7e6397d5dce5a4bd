// SPDX-License-Identifier: MIT
#include "server/engine/plan_builder.h"

#include <algorithm>

#include "server/engine/slices.h"

namespace retrylab::engine {
namespace {

using scenario::Fault;
using scenario::Moment;

// The offset of a writing moment in the message; nothing when the message has no such place.
std::optional<std::size_t> offset_of(const Fault& fault, const Message& message) {
  switch (fault.at) {
    case Moment::response_start:
      return 0;
    case Moment::response_byte:
      return fault.byte <= message.size() ? std::optional(fault.byte) : std::nullopt;
    case Moment::response_headers:
      return message.head.size();
    case Moment::body_byte:
      return message.after_body_bytes(fault.byte);
    case Moment::response_end:
      return message.size();
    case Moment::accept:
    case Moment::request_start:
    case Moment::request_headers:
    case Moment::request_byte:
    case Moment::request_end:
    case Moment::idle:
    case Moment::next_request:
      break;
  }
  return std::nullopt;
}

}  // namespace

bool took_place(const FaultMark& mark, std::size_t actions_done) {
  return actions_done > mark.last_action || (mark.open_ended && actions_done >= mark.last_action);
}

void PlanBuilder::add_fault(const Fault& fault) {
  std::vector<wire::Action> actions = scenario::actions(fault.effect, random_);
  const bool open_ended = !actions.empty() && std::holds_alternative<wire::Hold>(actions.back()) &&
                          !std::get<wire::Hold>(actions.back()).time;
  for (wire::Action& action : actions) {
    const bool shutdown = std::holds_alternative<wire::ShutdownWrite>(action);
    if (shutdown) stream_.writable = false;
    fin_ = fin_ || shutdown || std::holds_alternative<wire::Close>(action);
    if (std::holds_alternative<wire::Write>(action)) stream_.garbled = true;
    if (const auto* hold = std::get_if<wire::Hold>(&action))
      held_ += hold->time.value_or(Duration(0));
    add(std::move(action));
  }
  if (!actions.empty()) marks_.push_back({plan_.actions.size() - 1, open_ended});
  ended_ = ended_ || scenario::ends_connection(fault.effect);
}

std::vector<PlanBuilder::Cut> PlanBuilder::cuts_of(const Message& message,
                                                   std::span<const Fault* const> faults) {
  std::vector<Cut> cuts;
  for (const Fault* fault : faults) {
    if (const auto at = offset_of(*fault, message)) {
      cuts.push_back({*at, fault});
    } else {
      moment_missing_ = true;
    }
  }
  std::ranges::stable_sort(cuts, {}, &Cut::at);
  return cuts;
}

void PlanBuilder::add_message(Message message, const Manner& manner,
                              std::span<const Fault* const> faults) {
  const std::vector<Cut> cuts = faults.empty() ? std::vector<Cut>() : cuts_of(message, faults);
  if (!stream_.writable) return;
  if (cuts.empty() && manner.pace.empty() && manner.write_sizes.empty()) {
    add_whole(std::move(message));
  } else {
    add_cut(message, manner, cuts);
  }
}

void PlanBuilder::add_whole(Message message) {
  head_sent_ = complete_ = !stream_.garbled;
  if (message.shared_body) {
    const std::size_t size = message.shared_body->size();
    add(wire::Write{std::move(message.head), true});
    add(wire::Write{wire::Bytes(std::move(message.shared_body), 0, size), false});
    return;
  }
  message.head += message.body;
  add(wire::Write{std::move(message.head), true});
}

void PlanBuilder::add_cut(const Message& message, const Manner& manner,
                          const std::vector<Cut>& cuts) {
  const std::size_t head_size = message.head.size();
  auto bytes = std::make_shared<std::string>(message.head);
  bytes->append(message.wire_body());
  const std::size_t size = bytes->size();
  Slices slices(std::move(bytes), head_size, manner);
  for (const Cut& cut : cuts) {
    slices.append_to(cut.at, plan_);
    head_sent_ = head_sent_ || (cut.at >= head_size && !stream_.garbled);
    const bool whole = cut.at >= size && !stream_.garbled;
    add_fault(*cut.fault);
    if (whole) complete_ = !message.by_close || fin_ || !ended_;
    if (!writable()) return;
  }
  slices.append_to(size, plan_);
  head_sent_ = head_sent_ || !stream_.garbled;
  complete_ = complete_ || !stream_.garbled;
}

void PlanBuilder::add_end(bool keep_alive) {
  if (ended_) return;
  if (!stream_.writable) {
    add(wire::Hold{});
  } else if (keep_alive) {
    add(wire::KeepAlive{});
  } else {
    add(wire::Close{.staged = true});
  }
}

void PlanBuilder::add_end_unread(bool keep_alive) {
  if (ended_ || !stream_.writable) {
    add_end(keep_alive);
  } else if (keep_alive) {
    add(wire::DiscardUnread{});
    add(wire::KeepAlive{});
  } else {
    add(wire::Close{.staged = false, .discard_unread = false});
  }
}

}  // namespace retrylab::engine
