// SPDX-License-Identifier: MIT
#include "server/journal/recorder.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace retrylab::journal {
namespace {

// Enough for hours of a busy host; beyond it neighbours are merged.
constexpr std::size_t kLagsMax = 10'000;
constexpr std::size_t kPausesMax = 10'000;

std::uint64_t heap_bytes(const std::string& text) {
  return text.capacity() > std::string().capacity() ? text.capacity() + 1 : 0;
}

// Shared perhaps with others: counted as if it were not.
std::uint64_t heap_bytes(const Text& text) {
  return text.empty() ? 0 : sizeof(std::string) + heap_bytes(text.str());
}

std::uint64_t heap_bytes(const std::vector<std::string>& texts) {
  std::uint64_t bytes = texts.capacity() * sizeof(std::string);
  for (const std::string& text : texts) bytes += heap_bytes(text);
  return bytes;
}

std::uint64_t bytes_of(const Attempt& attempt) {
  const Planned& planned = attempt.planned;
  return sizeof(Attempt) + heap_bytes(attempt.client) + heap_bytes(attempt.method) +
         heap_bytes(attempt.target) + heap_bytes(attempt.head) + heap_bytes(attempt.operation) +
         heap_bytes(attempt.key) + heap_bytes(attempt.resource) + heap_bytes(planned.route) +
         heap_bytes(planned.step) + heap_bytes(planned.retry_after) + heap_bytes(planned.location) +
         heap_bytes(planned.faults) + heap_bytes(planned.near_misses) + heap_bytes(planned.note);
}

// Each pair of neighbours becomes one stretch that covers both and what lies between: it explains
// more lateness than was measured, never less.
void merge_neighbours(std::vector<Lag>& lags) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i + 1 < lags.size(); i += 2) {
    const Instant from = std::min(lags[i].at - lags[i].late, lags[i + 1].at - lags[i + 1].late);
    const Instant until = std::max(lags[i].at, lags[i + 1].at);
    lags[kept++] = {until, until - from};
  }
  if (lags.size() % 2 == 1) lags[kept++] = lags.back();
  lags.resize(kept);
}

}  // namespace

Recorder::Recorder(Run run, RecorderLimits limits, Sink* sink, Redaction redaction)
    : run_(std::move(run)), limits_(limits), sink_(sink), redaction_(std::move(redaction)) {
  if (sink_ != nullptr) sink_->run_started(run_);
}

void Recorder::open(Connection connection) {
  ++run_.connections_opened;
  connection.run = run_.number;
  if (limits_.entries == 0) {
    if (sink_ != nullptr) sink_->connection_opened(connection);
    return;
  }
  const ConnectionId id = connection.id;
  const auto& placed = connections_.insert_or_assign(id, std::move(connection)).first->second;
  if (sink_ != nullptr) sink_->connection_opened(placed);
}

void Recorder::begin(std::unique_ptr<Attempt> begun, bool lasts) {
  ++run_.attempts_begun;
  Attempt& attempt = *begun;
  attempt.run = run_.number;
  if (redaction_.finds_any(attempt.head)) {
    std::string head = std::move(attempt.head).take();
    redaction_.apply(head);
    attempt.head = std::move(head);
  }
  last_change_ = attempt.head_read;
  const std::uint64_t bytes = bytes_of(attempt);
  bytes_ += bytes;
  Entry& entry = attempts_[attempt.id];
  entry.attempt = std::move(begun);
  entry.bytes = bytes;
  if (sink_ != nullptr) sink_->begun(attempt);
  if (lasts) pack(entry);
  drop_attempts();
}

void Recorder::pack(Entry& entry) {
  entry.packed = ended_.pack(*entry.attempt);
  entry.attempt.reset();
  bytes_ -= entry.bytes;
  entry.bytes = entry.packed.size();
  bytes_ += entry.bytes;
}

Attempt Recorder::copy_of(const Entry& entry) const {
  return entry.attempt ? *entry.attempt : ended_.unpack(entry.packed);
}

Attempt* Recorder::find(AttemptId id) {
  const auto found = attempts_.find(id);
  if (found == attempts_.end()) return nullptr;
  Entry& entry = found->second;
  if (!entry.attempt) entry.attempt = std::make_unique<Attempt>(ended_.unpack(entry.packed));
  return entry.attempt.get();
}

Connection* Recorder::find_connection(ConnectionId id) {
  const auto found = connections_.find(id);
  return found == connections_.end() ? nullptr : &found->second;
}

void Recorder::end(AttemptId id) {
  const Attempt* const attempt = find(id);
  if (attempt == nullptr) return;
  ++attempts_over_;
  if (attempt->delivered.ended) last_change_ = attempt->delivered.ended;
  if (attempt->delivered.faults_delivered) faults_ += attempt->planned.faults.size();
  if (sink_ != nullptr) sink_->ended(*attempt);
  if (limits_.entries > 0) {
    ended_.push(*attempt);
  } else {
    ++run_.dropped_attempts;
  }
  const auto found = attempts_.find(id);
  bytes_ -= found->second.bytes;
  attempts_.erase(found);
  drop_attempts();
}

void Recorder::end_connection(ConnectionId id) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  if (found->second.faults_delivered) faults_ += found->second.planned_faults.size();
  if (sink_ != nullptr) sink_->connection_ended(found->second);
  ended_connections_.push_back(id);
  drop_connections();
}

void Recorder::add(Resource resource) {
  resource.run = run_.number;
  run_.resources.push_back(std::move(resource));
  if (sink_ != nullptr) sink_->resource(run_.resources.back());
}

void Recorder::add(Pause pause) {
  if (sink_ != nullptr) sink_->pause(pause);
  if (run_.pauses.size() < kPausesMax) run_.pauses.push_back(std::move(pause));
}

void Recorder::add(Lag lag) {
  if (sink_ != nullptr) sink_->lag(lag);
  worst_lag_ = std::max(worst_lag_, lag.late);
  run_.lags.push_back(lag);
  if (run_.lags.size() > kLagsMax) merge_neighbours(run_.lags);
}

void Recorder::add(ClientEnd client) {
  run_.clients.push_back(std::move(client));
  if (sink_ != nullptr) sink_->client_ended(run_.clients.back());
}

void Recorder::set_zero(Instant zero) {
  run_.zero = zero;
}

Run Recorder::finish(Instant now, std::uint32_t steps_unused) {
  run_.ended = now;
  run_.steps_unused = steps_unused;
  if (sink_ != nullptr) sink_->run_ended(run_);
  ended_.append_to(run_.attempts);
  for (const auto& [id, entry] : attempts_) run_.attempts.push_back(copy_of(entry));
  for (auto& [id, connection] : connections_) run_.connections.push_back(std::move(connection));
  std::ranges::sort(run_.attempts, {}, &Attempt::id);
  std::ranges::sort(run_.connections, {}, &Connection::id);
  attempts_.clear();
  ended_ = {};
  connections_.clear();
  return std::move(run_);
}

Recorder::Copy Recorder::copy() const {
  Copy copy;
  copy.run_ = run_;
  copy.ended_ = ended_;
  for (const auto& [id, entry] : attempts_) copy.run_.attempts.push_back(copy_of(entry));
  for (const auto& [id, connection] : connections_) copy.run_.connections.push_back(connection);
  return copy;
}

Run Recorder::Copy::unpack() && {
  ended_.append_to(run_.attempts);
  std::ranges::sort(run_.attempts, {}, &Attempt::id);
  std::ranges::sort(run_.connections, {}, &Connection::id);
  return std::move(run_);
}

Run Recorder::snapshot() const {
  return copy().unpack();
}

Counts Recorder::counts() const {
  return {.attempts_begun = run_.attempts_begun,
          .attempts_over = attempts_over_,
          .connections_opened = run_.connections_opened,
          .resources = run_.resources.size(),
          .faults = faults_,
          .dropped = run_.dropped_attempts + run_.dropped_connections,
          .worst_lag = worst_lag_,
          .last_change = last_change_};
}

void Recorder::drop_attempts() {
  while (!ended_.empty() && (attempts_.size() + ended_.size() > limits_.entries ||
                             bytes_ + ended_.bytes() > limits_.bytes)) {
    ended_.pop();
    ++run_.dropped_attempts;
  }
}

void Recorder::drop_connections() {
  while (!ended_connections_.empty() && connections_.size() > limits_.entries) {
    run_.dropped_connections += connections_.erase(ended_connections_.front());
    ended_connections_.pop_front();
  }
}

}  // namespace retrylab::journal
