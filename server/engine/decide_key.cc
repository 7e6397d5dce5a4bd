// SPDX-License-Identifier: MIT
// The idempotency part of a decision: 400, 422, 409 or wait, replay, or a new key's claim.
#include <fmt/format.h>

#include "server/engine/key_syntax.h"
#include "server/engine/state.h"

namespace retrylab::engine {

using journal::Source;
using scenario::Idempotency;

Engine::State::Decided Engine::State::decide_key(Live& live, const Request& request, Instant now) {
  if (!live.record->route_has_store) return Decided::yes;
  const auto& rule = route_of(live).idempotency;
  const std::string& key = live.record->key;
  if (key.empty()) {
    if (!rule->required) return Decided::yes;
    decide_problem(live, Source::key_missing, 400, fmt::format("{} is missing", rule->header));
    return Decided::yes;
  }
  if (rule->strict_syntax && !is_quoted_key(key)) {
    decide_problem(live, Source::key_missing, 400,
                   fmt::format("{} is not a quoted string", rule->header));
    return Decided::yes;
  }
  if (KeyEntry* entry = keys_.find(*live.route, key, now)) {
    return decide_known_key(live, *entry, request, now);
  }
  if (keys_.claim(*live.route, key, live.record->id, now) == nullptr) {
    decide_limit(live, "idempotency keys");
    return Decided::yes;
  }
  live.owns_key = true;
  return Decided::yes;
}

Engine::State::Decided Engine::State::decide_known_key(Live& live, KeyEntry& entry,
                                                       const Request& request, Instant now) {
  const Idempotency& rule = *route_of(live).idempotency;
  if (!request.has_body()) return Decided::needs_body;
  if (!same_payload(live, entry)) {
    decide_problem(live, Source::key_reused, 422,
                   fmt::format("{} was used for another request", rule.header));
    return Decided::yes;
  }
  if (entry.in_flight(now)) {
    if (rule.in_flight == Idempotency::InFlight::wait) {
      entry.waiting.push_back(live.record->id);
      live.wait_until = entry.ready;
      return Decided::waits;
    }
    decide_problem(live, Source::key_in_flight, 409,
                   fmt::format("a request with this {} is being served", rule.header));
    return Decided::yes;
  }
  ++entry.replays;
  live.record->replayed = true;
  live.decision.source = Source::replay;
  live.decision.reply = entry.stored;
  return Decided::yes;
}

// Unknown while the first request's body is still being read: then it counts as the same.
bool Engine::State::same_payload(const Live& live, const KeyEntry& entry) const {
  if (!entry.first || !route_of(live).idempotency->check_payload) return true;
  const journal::Attempt& record = *live.record;
  return entry.first->method == record.method && entry.first->target == record.target &&
         entry.first->body == record.body_sha256;
}

// `when: {"replay": n}` looks ahead to what the store will say.
void Engine::State::note_replay(const Live& live, const Request& request, Instant now,
                                Circumstances& circumstances) {
  if (live.record->key.empty()) return;
  const KeyEntry* entry = keys_.find(*live.route, live.record->key, now);
  if (entry == nullptr || entry->in_flight(now)) return;
  if (!request.has_body()) {
    circumstances.replay_unknown = true;
  } else if (same_payload(live, *entry)) {
    circumstances.replay = entry->replays + 1;
  }
}

// The first request is read whole: from now on another payload is told apart.
void Engine::State::note_payload(const Live& live) {
  if (!live.owns_key || !live.record->body_sha256) return;
  if (KeyEntry* entry = keys_.find(*live.route, live.record->key, Instant())) {
    entry->first = Fingerprint{live.record->method, live.record->target, *live.record->body_sha256};
  }
}

// The answer is planned: from `ready` on its key replays it, or is free again.
void Engine::State::settle_key(Live& live, Reply reply, const PlaceholderValues& values,
                               Instant ready) {
  if (!live.owns_key) return;
  live.owns_key = false;
  const Idempotency& rule = *route_of(live).idempotency;
  KeyEntry* entry = keys_.find(*live.route, live.record->key, Instant());
  if (entry == nullptr || entry->owner != live.record->id) return;
  entry->ready = ready;
  entry->expires = saturating_add(ready, rule.ttl);
  const bool every = rule.store == Idempotency::Store::every;
  const bool has_answer = live.decision.step == nullptr || live.decision.step->status;
  if (live.record->executed || (every && live.decision.may_store && has_answer)) {
    const scenario::Step* step = live.decision.step;
    const auto* executed = step != nullptr && step->executes
                               ? std::get_if<scenario::ExecutedAnswer>(&*step->executes)
                               : nullptr;
    entry->stored = std::make_shared<Reply>(executed != nullptr ? executed_reply(*executed, values)
                                                                : std::move(reply));
  }
  wake(std::move(entry->waiting));
  entry->waiting.clear();
}

void Engine::State::release_key(Live& live) {
  if (!live.owns_key) return;
  live.owns_key = false;
  wake(keys_.release(*live.route, live.record->key, live.record->id));
}

void Engine::State::wake(std::vector<AttemptId> waiting) {
  released_.insert(released_.end(), waiting.begin(), waiting.end());
}

}  // namespace retrylab::engine
