// SPDX-License-Identifier: MIT
// The idempotency store of one run: which answer belongs to which key. Keyed by route and key.
//
// A key's life: claimed (by the attempt that was there first) -> in flight until the planned
// start of its answer -> answered, or forgotten when nothing is to be stored.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "client_lib/base/sha256.h"
#include "client_lib/base/time.h"
#include "server/engine/reply.h"
#include "server/wire/request.h"

namespace retrylab::engine {

// What makes two requests the same payload. Nothing while the first body is still being read.
struct Fingerprint {
  std::string method;
  std::string target;
  Sha256 body{};

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

struct KeyEntry {
  wire::AttemptId owner = 0;
  std::optional<Fingerprint> first;
  std::shared_ptr<const Reply> stored;
  Instant ready = kNever;  // the planned start of the first answer
  Instant expires = kNever;
  std::uint32_t replays = 0;
  std::vector<wire::AttemptId> waiting;  // for the first answer's plan

  bool in_flight(Instant now) const { return now < ready; }
};

class KeyStore {
 public:
  // At most `most` keys.
  explicit KeyStore(std::uint64_t most) : most_(most) {}

  // The live entry, or null. An entry that is over at `now` is forgotten on the way.
  KeyEntry* find(std::size_t route, std::string_view key, Instant now);

  // A new entry that `owner` claims; null when the store is full. There must be none.
  KeyEntry* claim(std::size_t route, std::string_view key, wire::AttemptId owner, Instant now);

  // Forgets the entry if `owner` still owns it; hands back who waited for it.
  std::vector<wire::AttemptId> release(std::size_t route, std::string_view key,
                                       wire::AttemptId owner);

 private:
  struct Place {
    std::size_t route;
    std::string_view key;
  };
  struct OwnedPlace {
    std::size_t route;
    std::string key;
    operator Place() const { return {route, key}; }  // NOLINT(google-explicit-constructor)
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const Place& place) const {
      return std::hash<std::string_view>()(place.key) ^ (place.route * 0x9e3779b97f4a7c15U);
    }
  };
  struct Same {
    using is_transparent = void;
    bool operator()(const Place& left, const Place& right) const {
      return left.route == right.route && left.key == right.key;
    }
  };

  static bool is_over(const KeyEntry& entry, Instant now);
  void sweep(Instant now);

  std::uint64_t most_;
  Instant swept_ = Instant::min();
  std::unordered_map<OwnedPlace, KeyEntry, Hash, Same> entries_;
};

}  // namespace retrylab::engine
