// SPDX-License-Identifier: MIT
// The bytes of a message as write actions: one piece, paced, or in segments of given sizes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "server/engine/manner.h"
#include "server/wire/plan.h"

namespace retrylab::engine {

// Hands the message out from front to back.
class Slices {
 public:
  Slices(std::shared_ptr<const std::string> bytes, std::size_t head_size, const Manner& manner)
      : bytes_(std::move(bytes)), head_size_(head_size), manner_(manner) {}

  // Appends the writes from where the last call ended up to `end`.
  void append_to(std::size_t end, wire::Plan& plan);

 private:
  const scenario::Pace* pace_at(std::size_t offset) const;
  bool completes_head(std::size_t from, std::size_t to) const {
    return from < head_size_ && to >= head_size_;
  }
  void append_paced(const scenario::Pace& pace, std::size_t end, wire::Plan& plan);
  void append_segments(std::size_t end, wire::Plan& plan);

  std::shared_ptr<const std::string> bytes_;
  std::size_t head_size_;
  const Manner& manner_;
  std::size_t at_ = 0;
  std::size_t segment_ = 0;  // index of the next segment size
};

}  // namespace retrylab::engine
