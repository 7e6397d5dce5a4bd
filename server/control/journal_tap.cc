// SPDX-License-Identifier: MIT
#include "server/control/journal_tap.h"

#include <utility>

#include "server/report/report.h"

namespace retrylab::control {

void JournalTap::start(std::shared_ptr<JournalLog> log, std::uint32_t run) {
  log_ = std::move(log);
  lines_ = std::make_unique<journal::NdjsonSink>(
      [log = log_.get()](std::string_view line) { log->append(line); },
      std::string(report::version()), run);
}

template <typename Record>
void JournalTap::pass(void (journal::Sink::*record)(const Record&), const Record& value) {
  // One thread writes.
  activity_.store(activity_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (lines_) ((*lines_).*record)(value);
  if (next_ != nullptr) (next_->*record)(value);
}

void JournalTap::run_started(const journal::Run& run) {
  if (log_) log_->restart();
  pass(&journal::Sink::run_started, run);
}

void JournalTap::connection_opened(const journal::Connection& connection) {
  pass(&journal::Sink::connection_opened, connection);
}

void JournalTap::connection_ended(const journal::Connection& connection) {
  pass(&journal::Sink::connection_ended, connection);
}

void JournalTap::begun(const journal::Attempt& attempt) {
  pass(&journal::Sink::begun, attempt);
}

void JournalTap::ended(const journal::Attempt& attempt) {
  pass(&journal::Sink::ended, attempt);
}

void JournalTap::resource(const journal::Resource& resource) {
  pass(&journal::Sink::resource, resource);
}

void JournalTap::lag(const journal::Lag& lag) {
  pass(&journal::Sink::lag, lag);
}

void JournalTap::pause(const journal::Pause& pause) {
  pass(&journal::Sink::pause, pause);
}

void JournalTap::client_ended(const journal::ClientEnd& client) {
  pass(&journal::Sink::client_ended, client);
}

void JournalTap::run_ended(const journal::Run& run) {
  pass(&journal::Sink::run_ended, run);
}

}  // namespace retrylab::control
