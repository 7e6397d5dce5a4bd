// SPDX-License-Identifier: MIT
// The journal as a file: one JSON object per line, one line per record, in the order of events.
//
//   run       format, retrylab, run, scenario, hash, seed, wall_origin_ns, one_process, processes
//   opened    run, connection, listener, client, at_ns, planned_faults
//   begun     run, attempt, connection, ..., planned: {source, route, step, status, ...}
//   ended     run, attempt, what was filled in later, delivered: {ending, r_min_ns, r_max_ns, ...}
//   closed    run, connection, at_ns, by, bytes_received, requests, faults_delivered
//   resource, lag, client
//   pause     run, from_ns, until_ns, why; since 1.1
//   end       run, ended_ns, zero_ns, and the counts that live outside the bounded journal
//
// Times are nanoseconds on the run's monotonic clock. Every string is a byte string: the code
// point U+00XX stands for the byte XX, so that raw header bytes survive. A member that has its
// default is left out. A reader ignores members and records that it does not know: that is what a
// minor version may add. The major version changes when that is not enough.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client_lib/base/result.h"
#include "server/journal/recorder.h"

namespace retrylab::journal {

inline constexpr std::string_view kNdjsonFormat = "1.1";

// Writes the records of one run. Several runs may share one file: every line says its run.
class NdjsonSink final : public Sink {
 public:
  // Called once per record with one whole line, its line end included; the view is valid for the
  // call. Whoever hands it in decides when the bytes reach the disk.
  using Write = std::function<void(std::string_view line)>;

  // `run` only for a sink that begins in the middle of that run.
  NdjsonSink(Write write, std::string retrylab_version, std::uint32_t run = 0);

  void run_started(const Run& run) override;
  void connection_opened(const Connection& connection) override;
  void connection_ended(const Connection& connection) override;
  void begun(const Attempt& attempt) override;
  void ended(const Attempt& attempt) override;
  void resource(const Resource& resource) override;
  void lag(const Lag& lag) override;
  void pause(const Pause& pause) override;
  void client_ended(const ClientEnd& client) override;
  void run_ended(const Run& run) override;

 private:
  Write write_;
  std::string version_;
  std::uint32_t run_ = 0;
  std::string line_;  // reused
};

// A run that is already over, or a snapshot of one, as such a file.
void write_ndjson(const Run& run, NdjsonSink& sink);
std::string to_ndjson(const Run& run, std::string retrylab_version);

struct NdjsonJournal {
  std::string format;              // "1.1"
  std::string retrylab_version;    // that wrote the first run
  std::vector<Run> runs;           // in the order of their first lines
  std::vector<std::string> notes;  // "line 812 is cut off and was left out"
};

// Reads a file piece by piece. A last line without line end that is no JSON is left out and noted:
// the writer was stopped there. Errors name the line in `where`: a line that is no JSON, another
// major version, a record of a run or an attempt that never began, and, unless `scenario_hash` is
// empty, a run of another scenario.
class NdjsonReader {
 public:
  explicit NdjsonReader(std::string scenario_hash = {});
  NdjsonReader(const NdjsonReader&) = delete;
  NdjsonReader& operator=(const NdjsonReader&) = delete;
  ~NdjsonReader();

  // The next bytes, wherever they were cut. After an error there is nothing more to read.
  Result<void> feed(std::string_view bytes);
  Result<NdjsonJournal> finish();

 private:
  Result<void> line(std::string_view line);

  class Records;
  std::unique_ptr<Records> records_;
  std::string rest_;  // of a line whose end has not come yet
  std::size_t number_ = 0;
};

// The same for a whole file.
Result<NdjsonJournal> read_ndjson(std::string_view text, std::string_view scenario_hash = {});

}  // namespace retrylab::journal
