// SPDX-License-Identifier: MIT
// An event queue for millions of small events: a radix heap. What was put in first comes out
// first among events of one instant, so the order is that of (time, sequence) without a sequence
// number being stored. Events are values; nothing is allocated once as many wait as ever will.
//
// Instants are read as hexadecimal numbers. A bucket holds those that agree with the last one taken
// down to some digit and have a certain digit there. Every event moves down the buckets at most
// once per digit of the time still ahead of it, by sequential copies; the cost of one hardly
// depends on how many wait.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "client_lib/base/check.h"
#include "client_lib/base/time.h"
#include "server/sim/block_list.h"

namespace retrylab::sim {

template <typename Event>
class MonotoneQueue {
 public:
  // Time does not run backwards: an instant before now() means now(). kNever never happens.
  void at(Instant when, const Event& event) {
    if (when == kNever) return;
    const std::uint64_t key = std::max(as_key(when), last_);
    put({key, event});
    ++size_;
  }
  void after(Duration wait, const Event& event) { at(saturating_add(now(), wait), event); }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  // Of the event taken last; zero before the first.
  Instant now() const { return Instant(Duration(static_cast<std::int64_t>(last_))); }

  // The next event; the queue is not empty.
  Event take() {
    CHECK(size_ > 0);
    return *take_until(kNever, [](const Event&) {});
  }

  // The next event up to `limit`; nothing, and no time passes, when there is none.
  // `soon(event)` is called some events ahead of each: the place to prefetch what it will touch.
  template <typename Soon>
  std::optional<Event> take_until(Instant limit, Soon soon) {
    if (buckets_[0].empty()) {
      if (size_ == 0 || !refill(as_key(limit), soon)) return std::nullopt;
    } else if (last_ > as_key(limit)) {
      return std::nullopt;
    }
    --size_;
    return buckets_[0].pop_front(pool_).event;
  }

 private:
  struct Entry {
    std::uint64_t key;
    Event event;
  };

  static std::uint64_t as_key(Instant when) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, when.time_since_epoch().count()));
  }
  // Where the highest digit that differs stands, and what it is; bucket 0 for the same instant.
  std::size_t bucket_of(std::uint64_t key) const {
    const std::uint64_t differs = key ^ last_;
    if (differs == 0) return 0;
    const auto place = static_cast<std::size_t>(std::bit_width(differs) - 1) / kDigitBits;
    return place * kDigits + ((key >> (place * kDigitBits)) & (kDigits - 1)) + 1;
  }

  void put(const Entry& entry) {
    const std::size_t bucket = bucket_of(entry.key);
    buckets_[bucket].push_back(entry, pool_);
    if (bucket > 0) used_[(bucket - 1) / 64] |= std::uint64_t{1} << ((bucket - 1) % 64);
  }

  // The lowest bucket that holds anything, without bucket 0.
  std::size_t lowest_used() const {
    std::size_t word = 0;
    while (used_[word] == 0) ++word;
    return word * 64 + static_cast<std::size_t>(std::countr_zero(used_[word])) + 1;
  }

  // Bucket 0 is used up: the earliest instant of the lowest bucket becomes the last one taken,
  // and its bucket is dealt out to those below. Dealing keeps the order among equals. False when
  // that instant is after `limit`.
  template <typename Soon>
  bool refill(std::uint64_t limit, Soon soon) {
    const std::size_t lowest = lowest_used();
    BlockList<Entry>& bucket = buckets_[lowest];
    std::uint64_t earliest = ~std::uint64_t{0};
    bucket.for_each([&earliest](const Entry& entry) { earliest = std::min(earliest, entry.key); });
    if (earliest > limit) return false;
    used_[(lowest - 1) / 64] &= ~(std::uint64_t{1} << ((lowest - 1) % 64));
    last_ = earliest;
    const bool few = bucket.is_short();
    while (!bucket.empty()) {
      const Entry entry = bucket.pop_front(pool_);
      if (few) soon(entry.event);
      put(entry);
    }
    return true;
  }

  static constexpr std::size_t kDigitBits = 4;
  static constexpr std::size_t kDigits = 16;
  static constexpr std::size_t kPlaces = 16;

  BlockPool<Entry> pool_;
  std::array<BlockList<Entry>, kPlaces * kDigits + 1> buckets_;
  std::array<std::uint64_t, kPlaces * kDigits / 64> used_{};
  std::uint64_t last_ = 0;
  std::size_t size_ = 0;
};

}  // namespace retrylab::sim
