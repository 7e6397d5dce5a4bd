// SPDX-License-Identifier: MIT
// What leaves a connection: bytes, FINs and RSTs, each with its stamps before and after.
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <variant>

#include "server/net/connection.h"
#include "server/net/server.h"

namespace retrylab::net {
namespace {

constexpr std::size_t kGathered = 16;
constexpr Duration kLinger = std::chrono::seconds(2);

// Where the head's last byte is: a lower bound when there is no blank line to be found.
std::size_t head_end(std::string_view bytes) {
  const auto blank = bytes.find("\r\n\r\n");
  return blank == std::string_view::npos ? 0 : blank + 4;
}

}  // namespace

// The answers of a turn leave together at its end. By then the records of its attempts are written
// out; and a client that serves several connections is woken once, not once per answer.
bool Connection::answers_may_leave() {
  if (!std::exchange(fresh_, false)) return true;
  server_.turn(*this);
  return wait(Wait::turn);
}

bool Connection::act(const wire::Write&) {
  if (!answers_may_leave()) return false;
  std::array<iovec, kGathered> pieces;
  std::size_t count = 0;
  std::size_t skip = offset_;
  for (std::size_t i = at_; i < plan_.actions.size() && count < kGathered; ++i) {
    const auto* write = std::get_if<wire::Write>(&plan_.actions[i]);
    if (write == nullptr) break;
    // Earlier than the head's last byte is safe, should this call not get so far (RULES.md B0).
    if (write->completes_head && !delivery_.r_min) delivery_.r_min = server_.clock().now();
    const std::string_view bytes = write->bytes.view().substr(skip);
    skip = 0;
    pieces[count++] = {const_cast<char*>(bytes.data()), bytes.size()};  // sendmsg only reads
  }
  return wrote(channel_.write({pieces.data(), count}));
}

bool Connection::act(const wire::WritePaced& action) {
  if (!answers_may_leave()) return false;
  const std::string_view bytes = action.bytes.view();
  if (offset_ == bytes.size()) return next_action();
  const Instant now = server_.clock().now();
  if (!since_) since_ = now;
  const std::size_t piece = std::max<std::size_t>(action.piece, 1);
  const std::size_t number = offset_ / piece;
  const Instant due = saturating_add(
      *since_, saturating_multiply(action.interval, static_cast<std::int64_t>(number)));
  if (now < due) {
    return wait_until(due, Wait::time);
  }
  if (yield_when_spent()) return false;
  const std::size_t end = std::min((number + 1) * piece, bytes.size());
  if (action.completes_head && !delivery_.r_min && end >= head_end(bytes)) delivery_.r_min = now;
  const std::string_view part = bytes.substr(offset_, end - offset_);
  const iovec vector{const_cast<char*>(part.data()), part.size()};
  return wrote(channel_.write({&vector, 1}, true));
}

bool Connection::wrote(const Transfer& transfer) {
  switch (transfer.kind) {
    case Transfer::Kind::done:
    case Transfer::Kind::end:  // there were only empty pieces
      break;
    case Transfer::Kind::would_block:
      return wait(Wait::writable);
    case Transfer::Kind::broken:
      reset_ = true;
      return cut_short();
    case Transfer::Kind::trouble:
      delivery_.machine_trouble = true;
      return cut_short();
  }
  delivery_.r_max = server_.clock().now();
  delivery_.bytes += transfer.bytes;
  offset_ += transfer.bytes;
  if (half_closed_ && channel_.is_reset()) {  // it was no half-close
    reset_ = true;
    return cut_short();
  }
  while (at_ < plan_.actions.size()) {
    const auto* write = std::get_if<wire::Write>(&plan_.actions[at_]);
    if (write == nullptr || offset_ < write->bytes.size()) break;
    const std::size_t rest = offset_ - write->bytes.size();
    next_action();
    offset_ = rest;
  }
  return true;
}

bool Connection::act(const wire::ShutdownWrite&) {
  if (!answers_may_leave()) return false;
  stamp_before_close();
  channel_.shutdown_write();
  delivery_.r_max = server_.clock().now();
  return next_action();
}

bool Connection::act(const wire::Reset&) {
  if (!answers_may_leave()) return false;
  stamp_before_close();
  channel_.reset();
  delivery_.r_max = server_.clock().now();
  next_action();
  return plan_over(false);
}

bool Connection::act(const wire::Close& action) {
  if (!answers_may_leave()) return false;
  if (action.discard_unread && !drained()) return false;
  stamp_before_close();
  if (action.discard_unread) {
    channel_.shutdown_write(action.staged);
    drained();  // what came in between
  }
  if (!action.staged) channel_.close();
  delivery_.r_max = server_.clock().now();
  next_action();
  if (!action.staged) return plan_over(false);
  if (attempt_ != 0) finish_attempt();
  plan_ = {};
  since_ = server_.clock().now();
  phase_ = Phase::linger;
  return true;
}

void Connection::stamp_before_close() {
  if (!delivery_.r_min) delivery_.r_min = server_.clock().now();
}

// Throws away what has come. False when it is more than one turn's share.
bool Connection::drained() {
  input_ = {};
  while (channel_.discard().kind == Transfer::Kind::done) {
    if (yield_when_spent()) return false;
  }
  return true;
}

bool Connection::drain() {
  input_ = {};
  for (;;) {
    const Transfer read = channel_.discard();
    const bool late = server_.clock().now() >= *since_ + kLinger;
    if (late || read.kind == Transfer::Kind::end || read.kind == Transfer::Kind::broken) {
      end(wire::ClosedBy::server);
      return false;
    }
    if (read.kind != Transfer::Kind::done) break;
    bytes_received_ += read.bytes;
    if (yield_when_spent()) return false;
  }
  return wait_until(*since_ + kLinger, Wait::readable);
}

}  // namespace retrylab::net
