// SPDX-License-Identifier: MIT
// Starts client processes and waits for them, from one thread. Each client leads a process group
// of its own, so that a signal or the time limit reaches whatever it started.
//
// The supervisor owns SIGINT, SIGTERM, SIGHUP and SIGQUIT while it lives: it blocks them for the
// calling thread and those started later, so make it before the event loops. A signal that
// arrives is forwarded to every client.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "client_lib/base/result.h"
#include "client_lib/base/time.h"
#include "server/journal/record.h"
#include "server/runner/command.h"

namespace retrylab::runner {

struct SupervisorOptions {
  Duration timeout{std::chrono::minutes(2)};  // of each client; kForever: none
  Duration grace{std::chrono::seconds(2)};    // from SIGTERM to SIGKILL after the timeout
  // The same after a forwarded signal: whoever sent it wants this program's end within a second.
  Duration signal_grace{std::chrono::milliseconds(600)};
  int output = 1;  // descriptor that clients' standard output goes on to
  // Clients may leave processes behind in groups of their own: end those too (orphans.h).
  bool ends_orphans = false;
};

// A client that is over. `client` is the number that start() was given.
struct Ended {
  std::size_t client = 0;
  journal::ClientEnd end;          // without `ended`: the run stamps it
  std::uint64_t output_bytes = 0;  // on its standard output
  std::size_t left_behind = 0;     // processes of other groups that had to be ended, if they are
};

class Supervisor {
 public:
  // ErrorCode::machine when there is no temporary folder.
  static Result<std::unique_ptr<Supervisor>> create(SupervisorOptions options);
  // Kills the clients that still run.
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  // Where the client with that number may write its outcome: a file that does not exist yet, in a
  // folder that goes away with the supervisor.
  std::string outcome_file(std::size_t client) const;

  // ErrorCode::machine when the program cannot be started.
  Result<void> start(std::size_t client, const Command& command);

  // Blocks until a client is over; at least one runs.
  Ended next_ended();

  // The same for at most so long; nothing when none was over by then.
  std::optional<Ended> next_ended_within(Duration time);

  // The time limit of that client, which runs, begins anew: it has come so far that what went
  // before says more about a busy host than about the client.
  void restart_time(std::size_t client);

  std::size_t running() const;

  // The first signal that arrived, if any: start no more clients.
  std::optional<int> signal() const;

 private:
  class Impl;
  explicit Supervisor(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace retrylab::runner
