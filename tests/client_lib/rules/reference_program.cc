// SPDX-License-Identifier: MIT
#include "tests/client_lib/rules/reference_program.h"

#include <array>
#include <cstdint>

#include "client_lib/retry/idempotency_key.h"

namespace retrylab {
namespace {

std::string make_key(Random& random, bool quoted) {
  std::array<std::uint8_t, 16> bytes{};
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.below(256));
  const std::string key = uuid_v4(bytes);
  return quoted ? quoted_key(key) : key;
}

}  // namespace

sim::Move ReferenceProgram::next(const Outcome* outcome, Instant now, WallTime wall) {
  if (!started_) started_ = now;
  if (idle_) begin_call();
  const Move move =
      next_move(policy_, progress_, outcome, {{now, wall}, random_, setting_.shared->guards()});
  if (const auto* attempt = std::get_if<AttemptNow>(&move)) return send(attempt->time);
  if (const auto* wait = std::get_if<WaitUntil>(&move)) return sim::SleepUntil{wait->at};
  if (const auto* redirect = std::get_if<FollowRedirect>(&move)) {
    follow(outcome->response);
    return sim::SleepUntil{redirect->wait.at};
  }
  return over(std::get<Finish>(move).reason);
}

void ReferenceProgram::begin_call() {
  idle_ = false;
  call_ = setting_.calls.at(calls_begun_++);
  if (!call_.key_header.empty()) {
    call_.headers.push_back({call_.key_header, make_key(random_, call_.quotes_key)});
  }
  progress_ = begin({.method = call_.method, .has_key = !call_.key_header.empty()});
}

void ReferenceProgram::follow(const Response& response) {
  call_.target = find_header(response.headers, "Location").value_or("/");
  if (response.status == 303) call_ = {.method = "GET", .target = call_.target};
  progress_.facts.method = call_.method;
  progress_.facts.has_key = !call_.key_header.empty();
}

sim::Move ReferenceProgram::send(Duration time) const {
  sim::Send send{
      .method = call_.method, .target = call_.target, .headers = call_.headers, .body = call_.body};
  if (time != kForever) send.timeout = time;
  return send;
}

sim::Move ReferenceProgram::over(Reason reason) {
  idle_ = true;
  if (calls_begun_ == setting_.calls.size()) {
    return sim::Done{.success = reason == Reason::succeeded};
  }
  return sim::SleepUntil{*started_ + setting_.every * static_cast<std::int64_t>(calls_begun_)};
}

}  // namespace retrylab
