// SPDX-License-Identifier: MIT
#include "server/sim/herd_client.h"

#include <algorithm>
#include <array>

#include "client_lib/retry/idempotency_key.h"
#include "server/sim/virtual_request.h"

namespace retrylab::sim {
namespace {

std::string draw_key(std::uint64_t seed, std::uint64_t operation) {
  Random random = Random::stream(seed, "key", operation);
  std::array<std::uint8_t, 16> bytes{};
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.below(256));
  return uuid_v4(bytes);
}

// What a service answers to the layer above.
Outcome answered(int status) {
  Outcome outcome;
  outcome.response.status = status;
  return outcome;
}
const Outcome kDone = answered(200);
const Outcome kFailed = answered(503);
const Outcome kTimeout{Failure::timeout, {}, "no answer in time"};
const Outcome kCancelled{Failure::cancelled, {}, "the layer above is out of time"};

}  // namespace

HerdClient::HerdClient(const Job& job, const Self& self)
    : job_(job),
      self_(self),
      operation_(self.first_operation),
      top_{.jitter = Random::stream(self.seed, "jitter"), .progress = {}},
      request_(job.request) {
  const std::size_t layers = job.policies.size();
  if (layers > 1)
    below_ = std::make_unique<Layer[]>(layers - 1);  // NOLINT(modernize-avoid-c-arrays)
  for (std::size_t depth = 1; depth < layers; ++depth) {
    layer(depth).jitter = Random::stream(self.seed, "jitter of a service", depth);
  }
}

void HerdClient::begin_operation(Instant now) {
  under_way_ = true;
  began_ = now;
  depth_ = 0;
  sent_ = 0;
  top_.jitter = Random::stream(self_.seed, "jitter", operation_);
  const bool has_key = job_.asked->needs_key;
  if (has_key) {
    Send send{.method = job_.asked->method, .target = job_.asked->target, .body = job_.asked->body};
    send.headers.push_back({"Idempotency-Key", draw_key(self_.seed, operation_)});
    request_ = std::make_shared<const VirtualRequest>(send);
  }
  top_.progress = begin({.method = job_.asked->method, .has_key = has_key});
  job_.measures->began();
}

// The attempt of this layer is an operation of the next.
void HerdClient::begin_below() {
  Layer& next = layer(++depth_);
  next.progress = begin({.method = job_.asked->method, .has_key = job_.asked->needs_key});
}

Guards HerdClient::guards(std::size_t depth) const {
  return depth == 0 ? self_.guards : job_.services[depth - 1];
}

Instant HerdClient::limit_above(std::size_t depth) {
  Instant earliest = kNever;
  for (std::size_t above = 0; above < depth; ++above) {
    earliest = std::min(earliest, layer(above).limit);
  }
  return earliest;
}

retrylab::Move HerdClient::decide(const Outcome* outcome, Instant now, WallTime wall) {
  Layer& active = layer(depth_);
  return next_move(job_.policies[depth_], active.progress, outcome,
                   {{now, wall}, active.jitter, guards(depth_)});
}

Move HerdClient::next(const Outcome* outcome, Instant now, WallTime wall) {
  if (!under_way_) begin_operation(now);
  if (depth_ > 0) outcome = time_is_up(outcome, now, wall);
  while (true) {
    const retrylab::Move move = decide(outcome, now, wall);
    outcome = nullptr;
    if (const auto* attempt = std::get_if<AttemptNow>(&move)) {
      layer(depth_).limit = saturating_add(now, attempt->time);
      job_.measures->sent_by(depth_);
      if (depth_ + 1U == job_.policies.size()) return send(now);
      begin_below();
    } else if (const auto* until = std::get_if<WaitUntil>(&move)) {
      return wait(*until, now);
    } else {
      const auto* finish = std::get_if<Finish>(&move);
      const Reason reason = finish != nullptr ? finish->reason : Reason::redirect_refused;
      if (depth_ == 0) return end(reason, now);
      --depth_;
      outcome = reason == Reason::succeeded ? &kDone : &kFailed;
    }
  }
}

// The uppermost layer whose attempt has taken too long goes on with that.
const Outcome* HerdClient::time_is_up(const Outcome* outcome, Instant now, WallTime wall) {
  for (std::size_t above = 0; above < depth_; ++above) {
    if (layer(above).limit > now) continue;
    give_up_below(above, now, wall);
    return &kTimeout;
  }
  return outcome;
}

void HerdClient::give_up_below(std::size_t depth, Instant now, WallTime wall) {
  for (; depth_ > depth; --depth_) decide(&kCancelled, now, wall);
}

Move HerdClient::send(Instant now) {
  const bool first = ++sent_ == 1;
  job_.measures->sent(first);
  note(now, "attempt", sent_);
  Send send{.attempt = sent_, .made = request_};
  const Instant limit = std::min(layer(depth_).limit, limit_above(depth_));
  if (limit != kNever) send.timeout = limit - now;
  return send;
}

Move HerdClient::wait(const WaitUntil& wait, Instant now) {
  note(now, "waits", static_cast<std::uint64_t>(wait.wait.count()));
  return SleepUntil{std::min(wait.at, limit_above(depth_))};
}

Move HerdClient::end(Reason reason, Instant now) {
  job_.measures->ended(began_, now, reason);
  note(now, word(reason), sent_);
  under_way_ = false;
  ++operation_;
  if (operation_ - self_.first_operation < job_.operations) {
    return SleepUntil{saturating_add(now, job_.think)};
  }
  return Done{.success = reason == Reason::succeeded};
}

void HerdClient::note(Instant now, std::string_view what, std::uint64_t number) const {
  if (job_.log != nullptr) job_.log->add(now, self_.number, what, number);
}

}  // namespace retrylab::sim
