// SPDX-License-Identifier: MIT
// Says on a terminal how far long work has come. On standard error, and only where that is one.
#pragma once

#include <cstddef>
#include <string_view>

namespace retrylab::cli {

class Progress {
 public:
  // `what` is counted: "runs". Nothing is shown of work of one piece.
  Progress(std::size_t all, std::string_view what);
  ~Progress();  // wipes it away
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step();
  // There is more to do than was thought.
  void add(std::size_t more);

 private:
  void show() const;

  std::size_t all_;
  std::string_view what_;
  bool shown_;
  std::size_t done_ = 0;
};

}  // namespace retrylab::cli
