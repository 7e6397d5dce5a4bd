// SPDX-License-Identifier: MIT
#include "server/control/wait.h"

#include <algorithm>
#include <chrono>
#include <string>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"
#include "server/control/query.h"

namespace retrylab::control {
namespace {

// Looking costs a run's loop a few microseconds.
constexpr Duration kBeat = std::chrono::milliseconds(5);

bool read_condition(std::string_view text, Conditions& conditions) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const std::string_view value = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  if (text == "script_used_up") return conditions.script_used_up = true;
  if (name == "attempts") {
    const auto count = parse_count(value);
    conditions.attempts = count.value_or(0);
    return count.has_value();
  }
  if (name != "quiet") return false;
  const auto time = parse_duration(value);
  if (time) conditions.quiet = *time;
  return time.has_value();
}

// When to look again: no sooner than it can have become quiet.
Duration beat(const Conditions& conditions, const Progress& progress) {
  if (!conditions.quiet || !progress.quiet) return kBeat;
  return std::max(kBeat, std::min<Duration>(*conditions.quiet - *progress.quiet, kBeat * 10));
}

}  // namespace

Expected<Conditions> parse_conditions(std::string_view text) {
  Conditions conditions;
  for (std::size_t from = 0;;) {
    const auto comma = std::min(text.find(',', from), text.size());
    const std::string_view one = text.substr(from, comma - from);
    if (!read_condition(one, conditions)) {
      return problem(Problem::Type::invalid_request,
                     fmt::format("query parameter wait: expected attempts:NUMBER, quiet:DURATION "
                                 "or script_used_up, found \"{}\"",
                                 one));
    }
    if (comma == text.size()) return conditions;
    from = comma + 1;
  }
}

bool met(const Conditions& conditions, const Progress& progress) {
  return progress.attempts_over >= conditions.attempts &&
         (!conditions.script_used_up || progress.script_used_up) &&
         (!conditions.quiet || (progress.quiet && *progress.quiet >= *conditions.quiet));
}

Expected<Waited> wait(const Conditions& conditions, Duration limit, RunId id, Context& context) {
  const Instant from = context.clock.now();
  for (;;) {
    const auto progress = context.runs.progress(id);
    if (!progress) return tl::unexpected(progress.error());
    const Duration time = context.clock.now() - from;
    if (met(conditions, *progress)) return Waited{.met = true, .time = time};
    if (time >= limit) return Waited{.met = false, .time = time};
    const Duration pause = std::min(beat(conditions, *progress), limit - time);
    if (!context.clock.pause(pause))
      return problem(Problem::Type::stopping, "retrylab is stopping");
  }
}

}  // namespace retrylab::control
