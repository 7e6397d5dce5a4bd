// SPDX-License-Identifier: MIT
#include "server/control/run_event_stream.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "server/control/event_text.h"

namespace retrylab::control {
namespace {

constexpr Duration kBetweenLooks = std::chrono::milliseconds(250);

}  // namespace

RunEventStream::RunEventStream(Context& context, Followers::Place place)
    : runs_(context.runs),
      clock_(context.clock),
      followers_(context.followers),
      from_(runs_.changes().next()),
      place_(std::move(place)) {}

std::optional<std::string> RunEventStream::next(Duration limit) {
  if (over_) return std::nullopt;
  if (!std::exchange(greeted_, true)) return hello();
  auto& changes = runs_.changes();
  const Duration until_look = last_look_ + kBetweenLooks - clock_.now();
  const auto piece = changes.read(from_, std::clamp(until_look, Duration{0}, limit));
  std::string events;
  if (piece.dropped > 0) {
    over_ = true;
    followers_.count_dropped();
    return dropped_event(from_, from_ + piece.dropped);
  }
  for (const Change& change : piece.changes) events += event_text(change);
  from_ = piece.next;
  over_ = piece.over;
  if (clock_.now() - last_look_ >= kBetweenLooks) events += progress();
  return events;
}

std::string RunEventStream::hello() {
  for (const auto& [id, activity] : runs_.activities()) seen_[id] = activity;
  last_look_ = clock_.now();
  Json runs = Json::array();
  for (const RunInfo& info : runs_.list()) runs.push_back(to_json(info));
  return event_text("hello", {{"runs", std::move(runs)}});
}

std::string RunEventStream::progress() {
  last_look_ = clock_.now();
  std::map<RunId, std::uint64_t> now;
  Json runs = Json::array();
  for (const auto& [id, activity] : runs_.activities()) {
    now[id] = activity;
    const auto seen = seen_.find(id);
    if (seen != seen_.end() && seen->second == activity) continue;
    if (const auto info = runs_.info(id)) runs.push_back(to_json(*info));
  }
  seen_ = std::move(now);
  return runs.empty() ? "" : event_text("progress", {{"runs", std::move(runs)}});
}

}  // namespace retrylab::control
