// SPDX-License-Identifier: MIT
// One run's journal, followed: as lines (NDJSON) or as server-sent events. It reads from the
// run's log at its client's speed; lines that are gone by then are said to be.
#pragma once

#include <memory>
#include <string>

#include "server/control/api.h"
#include "server/control/followers.h"
#include "server/control/journal_log.h"
#include "server/control/message.h"
#include "server/control/runs.h"

namespace retrylab::control {

// {"record":"dropped","from":0,"until":12} and a line feed.
std::string dropped_line(std::uint64_t from, std::uint64_t until);

// Ends with the run, or when it is reset.
class LineStream final : public Stream {
 public:
  LineStream(RunId id, std::shared_ptr<JournalLog> log, std::uint64_t from, Followers::Place place);
  std::optional<std::string> next(Duration limit) override;
  std::string describe() const override;

 private:
  RunId id_;
  std::shared_ptr<JournalLog> log_;
  std::uint64_t from_;
  std::uint64_t generation_;
  Followers::Place place_;
};

// `record` events with the offset after them as id, then `run_reset` or `run_ended`. Goes on after
// a reset, from offset 0. Ends with the run, or with `dropped` when the client was too slow.
class RecordEventStream final : public Stream {
 public:
  RecordEventStream(RunId id, std::shared_ptr<JournalLog> log, std::uint64_t from, Context& context,
                    Followers::Place place);
  std::optional<std::string> next(Duration limit) override;
  std::string heartbeat() const override { return ":\n\n"; }
  std::string describe() const override;

 private:
  std::string reset_event(std::uint64_t generation);
  std::string ended_event() const;

  RunId id_;
  std::shared_ptr<JournalLog> log_;
  std::uint64_t from_;
  std::uint64_t generation_;
  Runs& runs_;
  Followers& followers_;
  std::uint64_t changes_from_;
  bool began_ = false;
  bool over_ = false;
  Followers::Place place_;
};

}  // namespace retrylab::control
