// SPDX-License-Identifier: MIT
// The runs' comings and goings, for those who follow them: a bounded list with offsets. Whoever
// follows reads from it at his own speed; nobody is waited for.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "client_lib/base/time.h"
#include "server/control/run_info.h"

namespace retrylab::control {

struct Change {
  enum class Why { started, reset, deleted, ttl, stopped };
  Why why = Why::started;
  RunInfo run;
};

std::string_view word(Change::Why why);

// Thread-safe.
class Changes {
 public:
  struct Piece {
    std::vector<Change> changes;
    std::uint64_t next = 0;     // where to read on
    std::uint64_t dropped = 0;  // so many before these were left out
    bool over = false;          // the process stops
  };

  void add(Change change);
  // No more will come; wakes everybody.
  void close();
  std::uint64_t next() const;
  // From offset `from` on; waits no longer than `limit` when there is nothing yet.
  Piece read(std::uint64_t from, Duration limit);

 private:
  mutable std::mutex mutex_;
  std::condition_variable grown_;
  std::deque<Change> kept_;
  std::uint64_t first_ = 0;  // the offset of kept_.front()
  bool closed_ = false;
};

}  // namespace retrylab::control
