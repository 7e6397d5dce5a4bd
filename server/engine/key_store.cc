// SPDX-License-Identifier: MIT
#include "server/engine/key_store.h"

namespace retrylab::engine {

// Nothing was stored and the answer has started, or the time to live is over.
bool KeyStore::is_over(const KeyEntry& entry, Instant now) {
  if (entry.in_flight(now)) return false;
  return !entry.stored || now >= entry.expires;
}

KeyEntry* KeyStore::find(std::size_t route, std::string_view key, Instant now) {
  const auto found = entries_.find(Place{route, key});
  if (found == entries_.end()) return nullptr;
  if (!is_over(found->second, now)) return &found->second;
  entries_.erase(found);
  return nullptr;
}

KeyEntry* KeyStore::claim(std::size_t route, std::string_view key, wire::AttemptId owner,
                          Instant now) {
  if (entries_.size() >= most_) sweep(now);
  if (entries_.size() >= most_) return nullptr;
  KeyEntry& entry = entries_[OwnedPlace{route, std::string(key)}];
  entry.owner = owner;
  return &entry;
}

std::vector<wire::AttemptId> KeyStore::release(std::size_t route, std::string_view key,
                                               wire::AttemptId owner) {
  const auto found = entries_.find(Place{route, key});
  if (found == entries_.end() || found->second.owner != owner) return {};
  std::vector<wire::AttemptId> waiting = std::move(found->second.waiting);
  entries_.erase(found);
  return waiting;
}

// A look at every entry, so no more than once a second.
void KeyStore::sweep(Instant now) {
  if (swept_ != Instant::min() && now - swept_ < std::chrono::seconds(1)) return;
  swept_ = now;
  std::erase_if(entries_, [now](const auto& entry) { return is_over(entry.second, now); });
}

}  // namespace retrylab::engine
