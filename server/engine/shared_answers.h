// SPDX-License-Identifier: MIT
// Ordinary answers that say the same, kept as one: ten thousand routes mostly have a few answers
// between them, and a step that others use too is in the processor's cache when it is needed.
#pragma once

#include <string>
#include <unordered_map>

#include "server/scenario/scenario.h"

namespace retrylab::engine {

class SharedAnswers {
 public:
  // A step that answers as `step` does, seen before or `step` itself. Only where it is an ordinary
  // answer: status, header lines and a text without placeholders, at once and whole. `step`
  // outlives this.
  const scenario::Step& of(const scenario::Step& step);

 private:
  std::unordered_map<std::string, const scenario::Step*> by_text_;
};

}  // namespace retrylab::engine
