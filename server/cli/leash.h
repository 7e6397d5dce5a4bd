// SPDX-License-Identifier: MIT
// Ends this program as SIGTERM would when whoever started it is gone, so that a test runner that
// was killed leaves nothing behind.
#pragma once

#include <memory>
#include <thread>

#include "client_lib/base/result.h"
#include "server/runner/process.h"

namespace retrylab::cli {

class Leash {
 public:
  // What it hangs on; nothing: it never pulls.
  struct Holders {
    bool parent = false;  // the process that started this one
    bool input = false;   // standard input: what comes is thrown away, its end counts
  };

  // The caller blocks SIGTERM first: the watching thread must not be the one that gets it.
  // Errors: ErrorCode::machine when there is no parent to watch or the kernel cannot watch it.
  static Result<std::unique_ptr<Leash>> hold(Holders holders);
  ~Leash();
  Leash(const Leash&) = delete;
  Leash& operator=(const Leash&) = delete;

 private:
  Leash() = default;
  void watch() const;

  bool input_ = false;
  runner::Descriptor parent_;  // readable when the parent is over
  runner::Descriptor let_go_;  // readable when this is destroyed
  std::thread thread_;
};

}  // namespace retrylab::cli
