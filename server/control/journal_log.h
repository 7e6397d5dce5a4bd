// SPDX-License-Identifier: MIT
// The lines of one run's journal, kept in memory up to a limit, with offsets that count records
// from 0. The run's loop appends; any number of threads read, each at its own speed. Nobody is
// waited for: a reader who is too slow finds that lines are missing.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>

#include "client_lib/base/time.h"

namespace retrylab::control {

// Thread-safe.
class JournalLog {
 public:
  struct Piece {
    std::string lines;          // each with its line feed
    std::uint64_t first = 0;    // the offset of the first of them
    std::uint64_t next = 0;     // where to read on
    std::uint64_t dropped = 0;  // so many before `first` are gone
    std::uint64_t generation = 0;
    bool over = false;  // nothing more will come: the run has ended
  };

  explicit JournalLog(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  // One record's line, its line feed included. Until open() it is held back.
  void append(std::string_view line);
  // A line of what was recorded before the log began; of no use in another generation.
  void fill(std::string_view line, std::uint64_t generation);
  // All that came before is filled in: readers see lines from now on.
  void open();
  // The run begins anew: offset 0, and the next generation.
  void restart();
  // The run has ended; wakes everybody.
  void close();

  // Lines from offset `from` on, up to about `bytes_max` bytes, at least one if there is one.
  // Waits no longer than `limit` when there is none, and not at all once the generation is
  // another than the reader's, whose `from` is then of another journal.
  Piece read(std::uint64_t from, std::uint64_t generation, std::size_t bytes_max, Duration limit);
  // Of the present journal.
  std::uint64_t generation() const;
  std::uint64_t next() const;

 private:
  // Whole lines, one after the other.
  struct Chunk {
    std::string lines;
    std::uint64_t first = 0;
    std::uint64_t count = 0;
  };

  void put(std::string_view line);
  void forget_surplus();

  const std::size_t bytes_max_;
  mutable std::mutex mutex_;
  std::condition_variable grown_;
  std::deque<Chunk> chunks_;
  std::size_t bytes_ = 0;
  std::uint64_t next_ = 0;
  std::uint64_t generation_ = 0;
  int waiting_ = 0;
  bool opened_ = false;
  std::deque<std::string> held_;
  bool closed_ = false;
};

}  // namespace retrylab::control
