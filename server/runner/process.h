// SPDX-License-Identifier: MIT
// One child process that leads a process group, with its standard output on a pipe. Waits for
// nothing itself: the supervisor polls the descriptors.
#pragma once

#include <optional>
#include <string>

#include <sys/types.h>

#include "client_lib/base/result.h"
#include "server/runner/command.h"

namespace retrylab::runner {

// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void close();

 private:
  int release();
  int fd_ = -1;
};

struct ExitStatus {
  std::optional<int> code;
  std::optional<int> signal;
};

class Process {
 public:
  // Found on PATH as a shell would. Signals are at their defaults in the child; a terminal is not
  // handed on as standard input, since a background group that reads it would be stopped.
  static Result<Process> start(const Command& command);

  Process(Process&&) noexcept = default;
  Process& operator=(Process&&) noexcept = default;

  // Readable when the process is over.
  int exit_descriptor() const { return pidfd_.get(); }
  // Its output, non-blocking; -1 after close_output().
  int output_descriptor() const { return output_.get(); }
  void close_output() { output_.close(); }

  pid_t pid() const { return pid_; }

  // To the whole group. Does nothing after reap().
  void signal_group(int signal) const;

  // Kills what is left of the group, then collects the exit status. Once, when it is over.
  ExitStatus reap();

 private:
  Process(pid_t pid, Descriptor pidfd, Descriptor output)
      : pid_(pid), pidfd_(std::move(pidfd)), output_(std::move(output)) {}

  pid_t pid_ = -1;
  Descriptor pidfd_;
  Descriptor output_;
};

}  // namespace retrylab::runner
