// SPDX-License-Identifier: MIT
// The bounded, append-only journal of one run. The engine begins and ends attempts here; an
// optional sink receives each record as it is made (the NDJSON file).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "server/journal/packed.h"
#include "server/journal/record.h"
#include "server/journal/redaction.h"

namespace retrylab::journal {

struct RecorderLimits {
  std::uint64_t entries = 200'000;    // attempts, as many connections; 0: keeps nothing
  std::uint64_t bytes = 128'000'000;  // of attempts, as they are kept: packed when they are over
};

// Receives records in order; implementations write NDJSON. Called while one event is handled.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void run_started(const Run&) = 0;
  virtual void connection_opened(const Connection&) = 0;
  virtual void connection_ended(const Connection&) = 0;
  virtual void begun(const Attempt&) = 0;  // planned is final
  virtual void ended(const Attempt&) = 0;  // delivered is final
  virtual void resource(const Resource&) = 0;
  virtual void lag(const Lag&) = 0;
  virtual void pause(const Pause&) {}
  virtual void client_ended(const ClientEnd&) = 0;
  virtual void run_ended(const Run&) = 0;
};

// What a run's records add up to.
struct Counts {
  std::uint64_t attempts_begun = 0;
  std::uint64_t attempts_over = 0;
  std::uint64_t connections_opened = 0;
  std::uint64_t resources = 0;
  std::uint64_t faults = 0;   // that took place
  std::uint64_t dropped = 0;  // attempts and connections that the full journal left out
  Duration worst_lag{0};
  std::optional<Instant> last_change;  // an attempt began or was over
};

// Over a limit, what ended first is dropped first and counted; what is still going on is never
// dropped. Every call costs the same however long the run is.
class Recorder {
 public:
  // `sink` may be null and outlives the recorder. `run` holds number, seed, names, origin.
  Recorder(Run run, RecorderLimits limits, Sink* sink, Redaction redaction = Redaction());

  void open(Connection connection);
  // In any order of ids. What is filled in later (body, executed, delivered) is in the record of
  // the end. Use the id, not the address. `lasts`: nobody knows when it will be over, so it is kept
  // packed meanwhile.
  void begin(std::unique_ptr<Attempt> attempt, bool lasts = false);
  // The attempt that has begun and not ended, or null.
  Attempt* find(AttemptId id);
  Connection* find_connection(ConnectionId id);
  void end(AttemptId id);  // after `delivered` was filled in
  void end_connection(ConnectionId id);
  void add(Resource resource);
  void add(Lag lag);
  void add(Pause pause);
  void add(ClientEnd client);
  void set_zero(Instant zero);
  // Attempts still pending stay so. Returns the whole run; the recorder is then empty.
  Run finish(Instant now, std::uint32_t steps_unused);
  // A copy of what is recorded so far. The first costs a thread that is in a hurry less: what is
  // over stays packed.
  class Copy;
  Copy copy() const;
  Run snapshot() const;
  Counts counts() const;

  std::uint64_t attempts_begun() const { return run_.attempts_begun; }
  // Begun and not ended.
  std::size_t attempts_under_way() const { return attempts_.size(); }

 private:
  struct Entry {
    std::unique_ptr<Attempt> attempt;  // null while it is packed
    std::string packed;
    std::uint64_t bytes = 0;
  };

  void pack(Entry& entry);
  Attempt copy_of(const Entry& entry) const;
  void drop_attempts();
  void drop_connections();

  Run run_;
  RecorderLimits limits_;
  Sink* sink_;
  std::unordered_map<AttemptId, Entry> attempts_;  // not ended
  PackedAttempts ended_;
  std::unordered_map<ConnectionId, Connection> connections_;
  std::deque<ConnectionId> ended_connections_;
  std::uint64_t bytes_ = 0;  // of those not ended
  Redaction redaction_;
  std::uint64_t attempts_over_ = 0;
  std::uint64_t faults_ = 0;
  Duration worst_lag_{0};
  std::optional<Instant> last_change_;
};

class Recorder::Copy {
 public:
  Run unpack() &&;

 private:
  friend class Recorder;
  Run run_;
  PackedAttempts ended_;
};

}  // namespace retrylab::journal
