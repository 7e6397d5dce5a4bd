// SPDX-License-Identifier: MIT
// A run put together: scenario, engine, listeners, event loop, journal. Thread-safe: the run
// itself lives on its loop's thread, these calls come from any other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client_lib/base/result.h"
#include "server/journal/recorder.h"
#include "server/scenario/scenario.h"

namespace retrylab::net {
class Door;
struct Identities;
}  // namespace retrylab::net

namespace retrylab::runs {

struct RunOptions {
  std::uint32_t number = 1;
  std::uint64_t seed = 0;
  std::string command;  // for journal::Run::command
  std::string listen = "127.0.0.1";
  std::uint16_t port = 0;       // 0: any free one; with more listeners only 0
  std::uint32_t listeners = 1;  // ports of this run: one per process of a herd
  bool one_process = true;      // one client process is one operation
  std::uint32_t processes = 1;
  // With them the run speaks TLS: server/net/certificates.h.
  std::shared_ptr<const net::Identities> tls;
  journal::Sink* sink = nullptr;  // outlives the run
  // For a sink that gathers its bytes: writes them out. Called at the end of every turn of the
  // loop, when its attempts have begun and none of their answers has left, and at the run's end.
  // Empty: the sink writes every record at once.
  std::function<void()> write_out;
  journal::Redaction redaction = journal::Redaction();
  // Its port leads to other runs too (server/net/door.h); outlives the run. Left out where the
  // scenario has something to say about connections before their first request.
  net::Door* door = nullptr;
};

// What a live run is doing.
struct RunStats {
  journal::Counts counts;
  std::uint64_t open_connections = 0;
  std::uint32_t steps_unused = 0;
  // How long no attempt has begun or been under way; nothing: one is, or none ever was.
  std::optional<Duration> quiet;
};

// One event-loop thread with its lag probe; several runs may share it.
class Loop {
 public:
  Loop();
  ~Loop();  // stops and joins
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  class Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

class LiveRun {
 public:
  // Listening when this returns. `scenario` and `loop` outlive the run. Errors: ErrorCode::machine
  // with the address when the port is taken or not allowed.
  static Result<std::unique_ptr<LiveRun>> start(const scenario::Scenario& scenario, Loop& loop,
                                                RunOptions options);
  ~LiveRun();
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  // "http://127.0.0.1:PORT", one per listener.
  const std::vector<std::string>& urls() const;

  // Records how client process number `index` (0-based) ended, stamped on the run's clock.
  void client_ended(journal::ClientEnd end);

  // Attempts that have begun and not ended.
  std::size_t attempts_under_way() const;

  // The journal so far.
  // The journal so far: of every attempt whose response had begun.
  journal::Run snapshot() const;

  // The same calls for those who serve others meanwhile: nothing when the loop had no time for
  // them within `limit`.
  std::optional<journal::Run> snapshot(Duration limit) const;
  std::optional<RunStats> stats(Duration limit) const;
  std::optional<std::size_t> timers(Duration limit) const;  // costs a look at every connection

  // Goes on with a connection that was accepted on another run's port, of which nothing was read.
  // From any thread; the descriptor is the run's from now on.
  void adopt(int descriptor, std::string client);

  // Begins anew on the same port: closes the connections, ends the journal and starts another.
  void restart(std::uint64_t seed);

  // Runs `work` on the loop's thread with the journal so far, between two records, and waits.
  void with_journal(const std::function<void(const journal::Recorder&)>& work) const;

  // Closes the listeners, then every connection, and returns the whole journal. Once.
  journal::Run stop();

 private:
  class Impl;
  explicit LiveRun(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
  std::vector<std::string> urls_;
  bool stopped_ = false;
};

}  // namespace retrylab::runs
