// SPDX-License-Identifier: MIT
// What whole answers came to, by their bytes. A herd gets few different answers; reading one is a
// pure function of its bytes, so each is parsed once.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "client_lib/retry/outcome.h"

namespace retrylab::sim {

class SeenAnswers {
 public:
  struct Seen {
    std::string bytes;
    bool to_head = false;
    bool keeps_alive = false;  // another request may follow
    Outcome outcome;
  };

  // Null: not seen, or long ago.
  const Seen* find(std::string_view bytes, bool to_head) const {
    for (const Seen& seen : seen_) {
      if (seen.bytes == bytes && seen.to_head == to_head) return &seen;
    }
    return nullptr;
  }

  // `bytes` were one whole answer. Valid until the next few are kept.
  const Seen& keep(Seen seen) {
    Seen& place = seen_[next_];
    next_ = (next_ + 1) % seen_.size();
    place = std::move(seen);
    return place;
  }

 private:
  std::array<Seen, 8> seen_;  // no answer has no bytes
  std::size_t next_ = 0;
};

}  // namespace retrylab::sim
