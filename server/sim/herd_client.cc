// SPDX-License-Identifier: MIT
#include "server/sim/herd_client.h"

#include <array>

#include "client_lib/retry/idempotency_key.h"

namespace retrylab::sim {
namespace {

std::string draw_key(std::uint64_t seed, std::uint64_t operation) {
  Random random = Random::stream(seed, "key", operation);
  std::array<std::uint8_t, 16> bytes{};
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.below(256));
  return uuid_v4(bytes);
}

}  // namespace

HerdClient::HerdClient(const Job& job)
    : job_(job), operation_(job.first_operation), jitter_(Random::stream(job.seed, "jitter")) {}

void HerdClient::begin_operation(Instant now) {
  under_way_ = true;
  began_ = now;
  jitter_ = Random::stream(job_.seed, "jitter", operation_);
  if (job_.asked->needs_key) key_ = draw_key(job_.seed, operation_);
  progress_ = begin({.method = job_.asked->method, .has_key = job_.asked->needs_key});
  job_.measures->began();
}

Move HerdClient::next(const Outcome* outcome, Instant now, WallTime wall) {
  if (!under_way_) begin_operation(now);
  const auto move =
      next_move(*job_.policy, progress_, outcome, {{now, wall}, jitter_, job_.guards});
  if (const auto* attempt = std::get_if<AttemptNow>(&move)) return send(*attempt, now);
  if (const auto* wait = std::get_if<WaitUntil>(&move)) {
    note(now, "waits", static_cast<std::uint64_t>(wait->wait.count()));
    return SleepUntil{wait->at};
  }
  const auto* finish = std::get_if<Finish>(&move);
  return end(finish != nullptr ? finish->reason : Reason::redirect_refused, now);
}

Move HerdClient::send(const AttemptNow& attempt, Instant now) {
  const std::uint32_t number = progress_.attempts;
  job_.measures->sent(number == 1);
  note(now, "attempt", number);
  Send send{.method = job_.asked->method,
            .target = job_.asked->target,
            .body = job_.asked->body,
            .attempt = number};
  if (!key_.empty()) send.headers.push_back({"Idempotency-Key", key_});
  if (attempt.time != kForever) send.timeout = attempt.time;
  return send;
}

Move HerdClient::end(Reason reason, Instant now) {
  job_.measures->ended(began_, now, reason);
  note(now, word(reason), progress_.attempts);
  under_way_ = false;
  ++operation_;
  if (operation_ - job_.first_operation < job_.operations) {
    return SleepUntil{saturating_add(now, job_.think)};
  }
  return Done{.success = reason == Reason::succeeded};
}

void HerdClient::note(Instant now, std::string_view what, std::uint64_t number) const {
  if (job_.log != nullptr) job_.log->add(now, job_.number, what, number);
}

}  // namespace retrylab::sim
