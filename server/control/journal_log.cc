// SPDX-License-Identifier: MIT
#include "server/control/journal_log.h"

#include <algorithm>

namespace retrylab::control {
namespace {

constexpr std::size_t kChunkBytes = 64 * 1024;

// The place behind the first `count` lines.
std::size_t behind_lines(std::string_view lines, std::uint64_t count) {
  std::size_t at = 0;
  for (; count > 0; --count) at = lines.find('\n', at) + 1;
  return at;
}

}  // namespace

void JournalLog::append(std::string_view line) {
  const std::lock_guard lock(mutex_);
  if (!opened_) {
    held_.emplace_back(line);
    return;
  }
  put(line);
  if (waiting_ > 0) grown_.notify_all();
}

void JournalLog::fill(std::string_view line, std::uint64_t generation) {
  const std::lock_guard lock(mutex_);
  if (generation == generation_) put(line);
}

void JournalLog::open() {
  const std::lock_guard lock(mutex_);
  opened_ = true;
  for (const std::string& line : held_) put(line);
  held_.clear();
  grown_.notify_all();
}

void JournalLog::put(std::string_view line) {
  if (chunks_.empty() || chunks_.back().lines.size() + line.size() > kChunkBytes) {
    chunks_.push_back({.lines = {}, .first = next_});
  }
  Chunk& chunk = chunks_.back();
  chunk.lines.append(line);
  ++chunk.count;
  ++next_;
  bytes_ += line.size();
  forget_surplus();
}

void JournalLog::forget_surplus() {
  while (bytes_ > bytes_max_ && chunks_.size() > 1) {
    bytes_ -= chunks_.front().lines.size();
    chunks_.pop_front();
  }
}

void JournalLog::restart() {
  const std::lock_guard lock(mutex_);
  chunks_.clear();
  held_.clear();
  bytes_ = 0;
  next_ = 0;
  ++generation_;
  grown_.notify_all();
}

void JournalLog::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  grown_.notify_all();
}

std::uint64_t JournalLog::generation() const {
  const std::lock_guard lock(mutex_);
  return generation_;
}

std::uint64_t JournalLog::next() const {
  const std::lock_guard lock(mutex_);
  return next_;
}

JournalLog::Piece JournalLog::read(std::uint64_t from, std::uint64_t generation,
                                   std::size_t bytes_max, Duration limit) {
  std::unique_lock lock(mutex_);
  ++waiting_;
  grown_.wait_for(lock, limit, [&] {
    return closed_ || generation_ != generation || (opened_ && next_ > from);
  });
  --waiting_;
  if (!opened_ && !closed_) return {.first = from, .next = from, .generation = generation_};
  const std::uint64_t kept_from = chunks_.empty() ? next_ : chunks_.front().first;
  Piece piece{.lines = {}, .first = std::max(from, kept_from), .generation = generation_};
  piece.dropped = piece.first - from;
  piece.next = piece.first;
  auto chunk = std::ranges::upper_bound(chunks_, piece.first, {}, &Chunk::first);
  if (chunk != chunks_.begin()) --chunk;
  for (; chunk != chunks_.end() && piece.next < next_; ++chunk) {
    if (piece.next >= chunk->first + chunk->count) continue;
    if (!piece.lines.empty() && piece.lines.size() + chunk->lines.size() > bytes_max) break;
    piece.lines.append(chunk->lines, behind_lines(chunk->lines, piece.next - chunk->first));
    piece.next = chunk->first + chunk->count;
  }
  piece.over = closed_ && piece.next >= next_;
  return piece;
}

}  // namespace retrylab::control
