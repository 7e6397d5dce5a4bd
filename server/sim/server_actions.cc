// SPDX-License-Identifier: MIT
// How the server's end carries out each wire action. An act() says whether the plan goes on at
// once or has to wait for a timer, a request or the engine.
#include <algorithm>
#include <utility>

#include "server/sim/line.h"

namespace retrylab::sim {

using wire::ConnectionId;

ServerSide::Step ServerSide::next_action(Line& line) {
  ++line.next;
  line.begin_action();
  return Step::go_on;
}

ServerSide::Step ServerSide::act(Line& line, const wire::WaitUntil& action) {
  if (line.since || action.at <= queue_.now()) {  // it has woken, or needs no wait
    line.yields_to_request = false;
    return next_action(line);
  }
  line.since = queue_.now();
  line.yields_to_request = line.attempt == 0;
  if (line.yields_to_request && !line.arrivals.empty()) {
    return end_idle_wait(line) ? Step::go_on : Step::wait;
  }
  return wait_until(line, action.at);
}

ServerSide::Step ServerSide::act(Line& line, const wire::ReadTo& action) {
  switch (action.place) {
    case wire::ReadTo::Place::request_start:
    case wire::ReadTo::Place::head_end:
      return await_request(line);
    case wire::ReadTo::Place::body_byte:
      return next_action(line);
    case wire::ReadTo::Place::body_end:
      if (line.attempt == 0) return await_request(line);
      break;
  }
  follow(line, engine_.body_complete(line.attempt, {line.current.request->body()}, queue_.now()));
  return Step::go_on;
}

// A virtual request arrives whole.
ServerSide::Step ServerSide::await_request(Line& line) {
  if (!line.arrivals.empty()) return next_action(line);
  line.awaits_request = true;
  return Step::wait;
}

ServerSide::Step ServerSide::act(Line& line, const wire::Write& action) {
  if (action.completes_head) line.delivery.r_min = queue_.now();
  write(line, action.bytes.view());
  return next_action(line);
}

ServerSide::Step ServerSide::act(Line& line, const wire::WritePaced& action) {
  const std::string_view bytes = action.bytes.view();
  const Duration every = action.interval;
  if (!line.since) line.since = queue_.now();
  const std::size_t piece =
      every == Duration(0) ? bytes.size() : std::max<std::size_t>(action.piece, 1);
  const std::string_view part = bytes.substr(line.written, piece);
  line.written += part.size();
  const bool last = line.written == bytes.size();
  if (action.completes_head && last) line.delivery.r_min = queue_.now();
  write(line, part);
  if (last) return next_action(line);
  const auto pieces = static_cast<std::int64_t>(line.written / piece);
  return wait_until(line, saturating_add(*line.since, saturating_multiply(every, pieces)));
}

ServerSide::Step ServerSide::act(Line& line, const wire::KeepAlive&) {
  next_action(line);
  plan_over(line, true);
  return Step::wait;
}

ServerSide::Step ServerSide::act(Line& line, const wire::ShutdownWrite&) {
  stamp_before_close(line);
  send(line, [](Peer& peer, ConnectionId connection) { peer.on_fin(connection); });
  return next_action(line);
}

ServerSide::Step ServerSide::act(Line& line, const wire::Close&) {
  stamp_before_close(line);
  next_action(line);
  plan_over(line, false);
  return Step::wait;
}

ServerSide::Step ServerSide::act(Line& line, const wire::Reset&) {
  stamp_before_close(line);
  next_action(line);
  finish_attempt(line);
  send(line, [](Peer& peer, ConnectionId connection) { peer.on_reset(connection); });
  end(line, journal::Connection::ClosedBy::server);
  return Step::wait;
}

ServerSide::Step ServerSide::act(Line& line, const wire::Hold& action) {
  if (line.since) return next_action(line);
  line.since = queue_.now();
  return wait_until(line, saturating_add(queue_.now(), action.time.value_or(kForever)));
}

ServerSide::Step ServerSide::act(Line& line, const wire::DiscardUnread&) {
  return next_action(line);
}

ServerSide::Step ServerSide::act(Line& line, const wire::AskEngine&) {
  return ask_engine(line);
}

ServerSide::Step ServerSide::act(Line& line, const wire::AwaitEngine& action) {
  if (line.since || action.until <= queue_.now()) return ask_engine(line);
  line.since = queue_.now();
  awaiting_[line.attempt] = &line;
  return wait_until(line, action.until);
}

// A virtual network has no TLS.
ServerSide::Step ServerSide::act(Line& line, const wire::ShowCertificate&) {
  return next_action(line);
}

ServerSide::Step ServerSide::ask_engine(Line& line) {
  awaiting_.erase(line.attempt);
  follow(line, engine_.resume(line.attempt, queue_.now()));
  return Step::go_on;
}

void ServerSide::write(Line& line, std::string_view bytes) {
  line.delivery.r_max = queue_.now();
  line.delivery.bytes += bytes.size();
  send(line, [text = texts_.share(bytes, line.plan)](Peer& peer, ConnectionId connection) {
    peer.on_bytes(connection, text.bytes);
  });
}

void ServerSide::stamp_before_close(Line& line) {
  if (!line.delivery.r_min) line.delivery.r_min = queue_.now();
  line.delivery.r_max = queue_.now();
}

}  // namespace retrylab::sim
