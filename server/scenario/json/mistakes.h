// SPDX-License-Identifier: MIT
// Collects the mistakes of a file, so that all of them come in one go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/scenario/json/tree.h"
#include "server/scenario/mistake.h"

namespace retrylab::scenario::json {

class Mistakes {
 public:
  void add(Place place, std::string pointer, std::string message);
  void add(const Node& node, std::string message);

  bool empty() const { return mistakes_.empty(); }
  // At what the pointer names, or in it.
  bool any_below(std::string_view pointer) const;

  // In the order of the file; two at one place in the order they were found.
  std::vector<Mistake> sorted() const;

 private:
  std::vector<Mistake> mistakes_;
};

}  // namespace retrylab::scenario::json
