// SPDX-License-Identifier: MIT
// The journal as a file while runs go on. Each record is handed to the kernel before the call
// that made it returns, so a begun record is in the file before its answer leaves.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "client_lib/base/result.h"

namespace retrylab::cli {

class JournalFile {
 public:
  // Empties the file or makes it. ErrorCode::machine when it cannot be written.
  static Result<std::unique_ptr<JournalFile>> create(const std::string& path);
  ~JournalFile();
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;

  // One whole line in one write; from any thread.
  void append(std::string_view line);

  // A rerun begins anew.
  void truncate();

  // What went wrong, if anything did: the file is not whole then.
  Result<void> check() const;

 private:
  JournalFile(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}

  std::string path_;
  int fd_;
  std::atomic<int> error_ = 0;
};

}  // namespace retrylab::cli
