// SPDX-License-Identifier: MIT
// The journal as a file while runs go on. Records are gathered until write_out(), which the runs
// call before the answers of a loop turn leave: one write carries all begun records of the turn.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "client_lib/base/result.h"
#include "server/journal/ndjson.h"

namespace retrylab::cli {

class JournalFile {
 public:
  // Empties the file or makes it. ErrorCode::machine when it cannot be written.
  static Result<std::unique_ptr<JournalFile>> create(const std::string& path);
  ~JournalFile();
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;

  // One whole line; from any thread.
  void append(std::string_view line);

  // Hands what was gathered to the kernel, in one write where it takes it all; from any thread.
  void write_out();

  // A rerun begins anew.
  void truncate();

  // What went wrong, if anything did: the file is not whole then.
  Result<void> check() const;

 private:
  JournalFile(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}

  std::string path_;
  int fd_;
  std::mutex mutex_;
  std::string gathered_;
  std::atomic<int> error_ = 0;
};

// Reads one back, a piece at a time. ErrorCode::machine when it cannot be read; else what
// journal::NdjsonReader says, with the path in `where`.
Result<journal::NdjsonJournal> read_journal(const std::string& path,
                                            const std::string& scenario_hash);

}  // namespace retrylab::cli
