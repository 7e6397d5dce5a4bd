// SPDX-License-Identifier: MIT
#include "server/control/journal_stream.h"

#include <utility>

#include <fmt/format.h>

#include "server/control/api.h"
#include "server/control/event_text.h"

namespace retrylab::control {
namespace {

constexpr std::size_t kPieceBytes = 256 * 1024;

}  // namespace

std::string dropped_line(std::uint64_t from, std::uint64_t until) {
  return fmt::format("{{\"record\":\"dropped\",\"from\":{},\"until\":{}}}\n", from, until);
}

LineStream::LineStream(RunId id, std::shared_ptr<JournalLog> log, std::uint64_t from,
                       Followers::Place place)
    : id_(id),
      log_(std::move(log)),
      from_(from),
      generation_(log_->generation()),
      place_(std::move(place)) {}

std::optional<std::string> LineStream::next(Duration limit) {
  auto piece = log_->read(from_, generation_, kPieceBytes, limit);
  if (piece.generation != generation_) return std::nullopt;
  if (piece.lines.empty() && piece.over) return std::nullopt;
  if (piece.dropped > 0) piece.lines.insert(0, dropped_line(from_, piece.first));
  from_ = piece.next;
  return std::move(piece.lines);
}

std::string LineStream::describe() const {
  return fmt::format("the journal of run {}", id_);
}

RecordEventStream::RecordEventStream(RunId id, std::shared_ptr<JournalLog> log, std::uint64_t from,
                                     Context& context, Followers::Place place)
    : id_(id),
      log_(std::move(log)),
      from_(from),
      generation_(log_->generation()),
      runs_(context.runs),
      followers_(context.followers),
      changes_from_(runs_.changes().next()),
      place_(std::move(place)) {}

std::optional<std::string> RecordEventStream::next(Duration limit) {
  if (over_) return std::nullopt;
  const auto piece = log_->read(from_, generation_, kPieceBytes, limit);
  if (piece.generation != generation_) return reset_event(piece.generation);
  // What was gone before the client came is no fault of its own.
  if (piece.dropped > 0 && began_) {
    over_ = true;
    followers_.count_dropped();
    return dropped_event(from_, piece.first);
  }
  std::string events;
  if (piece.dropped > 0) events = dropped_event(from_, piece.first);
  std::uint64_t offset = piece.first;
  for (std::size_t at = 0; at < piece.lines.size();) {
    const std::size_t end = piece.lines.find('\n', at) + 1;
    fmt::format_to(std::back_inserter(events), "id: {}\nevent: record\ndata: {}\n", ++offset,
                   std::string_view(piece.lines).substr(at, end - at));
    at = end;
  }
  began_ = began_ || !piece.lines.empty();
  from_ = piece.next;
  if (piece.over) {
    over_ = true;
    events += ended_event();
  }
  return events;
}

std::string RecordEventStream::reset_event(std::uint64_t generation) {
  generation_ = generation;
  from_ = 0;
  began_ = false;
  const auto info = runs_.info(id_);
  // Whoever is cut off after this goes on from here.
  return info ? "id: 0\n" + event_text({.why = Change::Why::reset, .run = *info}) : "";
}

// The way the run went is told right after its journal is closed.
std::string RecordEventStream::ended_event() const {
  constexpr Duration kSoon = std::chrono::seconds(1);
  for (std::uint64_t from = changes_from_;;) {
    const auto piece = runs_.changes().read(from, kSoon);
    for (const Change& change : piece.changes) {
      const bool ended = change.why != Change::Why::started && change.why != Change::Why::reset;
      if (change.run.id == id_ && ended) return event_text(change);
    }
    if (piece.changes.empty()) return "";
    from = piece.next;
  }
}

std::string RecordEventStream::describe() const {
  return fmt::format("the events of run {}", id_);
}

}  // namespace retrylab::control
