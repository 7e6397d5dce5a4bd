// SPDX-License-Identifier: MIT
// Between a run's recorder and who wants its records: counts them, and from the first reader on
// writes their lines into a log. Until then a record costs one increment. Belongs to the run's
// loop, activity() aside.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "server/control/journal_log.h"
#include "server/journal/ndjson.h"
#include "server/journal/recorder.h"

namespace retrylab::control {

class JournalTap final : public journal::Sink {
 public:
  // `next` hears every record too; it may be null, and outlives the tap.
  explicit JournalTap(journal::Sink* next) : next_(next) {}

  // A number that grows with every record. From any thread.
  std::uint64_t activity() const { return activity_.load(std::memory_order_relaxed); }

  // Records go into the log from now on. What came before has to be filled in.
  void start(std::shared_ptr<JournalLog> log, std::uint32_t run);

  void run_started(const journal::Run& run) override;
  void connection_opened(const journal::Connection& connection) override;
  void connection_ended(const journal::Connection& connection) override;
  void begun(const journal::Attempt& attempt) override;
  void ended(const journal::Attempt& attempt) override;
  void resource(const journal::Resource& resource) override;
  void lag(const journal::Lag& lag) override;
  void pause(const journal::Pause& pause) override;
  void client_ended(const journal::ClientEnd& client) override;
  void run_ended(const journal::Run& run) override;

 private:
  template <typename Record>
  void pass(void (journal::Sink::*record)(const Record&), const Record& value);

  journal::Sink* next_;
  std::shared_ptr<JournalLog> log_;
  std::unique_ptr<journal::NdjsonSink> lines_;
  std::atomic<std::uint64_t> activity_{0};
};

}  // namespace retrylab::control
