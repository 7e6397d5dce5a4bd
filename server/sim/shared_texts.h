// SPDX-License-Identifier: MIT
// Bytes on their way over the virtual network, shared where many messages are the same: a herd's
// answers differ in little more than the second of their Date.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace retrylab::sim {

// `owner` keeps `bytes` alive.
struct SharedText {
  std::string_view bytes;
  std::shared_ptr<const void> owner;
};

class SharedTexts {
 public:
  // The same bytes with an owner of their own, so that `owner` may go; large ones as they are.
  SharedText share(std::string_view bytes, const std::shared_ptr<const void>& owner) {
    constexpr std::size_t kLarge = 4096;
    if (bytes.size() > kLarge) return {bytes, owner};
    for (const auto& known : known_) {
      if (known && *known == bytes) return {*known, known};
    }
    auto& place = known_[next_];
    next_ = (next_ + 1) % known_.size();
    place = std::make_shared<const std::string>(bytes);
    return {*place, place};
  }

 private:
  std::array<std::shared_ptr<const std::string>, 8> known_;
  std::size_t next_ = 0;
};

}  // namespace retrylab::sim
