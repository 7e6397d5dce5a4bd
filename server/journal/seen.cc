// SPDX-License-Identifier: MIT
#include "server/journal/seen.h"

#include <algorithm>

namespace retrylab::journal {
namespace {

using Kind = Seen::Kind;

// "EFFECT [detail] at MOMENT [detail]".
std::string_view effect_of(std::string_view fault) {
  return fault.substr(0, fault.find(' '));
}

std::string_view moment_of(std::string_view fault) {
  const auto at = fault.find(" at ");
  if (at == std::string_view::npos) return {};
  const std::string_view moment = fault.substr(at + 4);
  return moment.substr(0, moment.find(' '));
}

bool comes_after_the_head(std::string_view moment) {
  return moment == "response_headers" || moment == "body_byte" || moment == "response_end" ||
         moment == "framing" || moment == "encoding";
}

// The answer's head went out whole: r_min of a cut before it is the cut's.
bool head_was_written(const Attempt& attempt) {
  const Planned& planned = attempt.planned;
  if (planned.status == 0 || !attempt.delivered.r_min || attempt.delivered.bytes == 0) return false;
  // Into a connection that the client had left: what may have been a half-close was none.
  const auto& left = attempt.delivered.peer_left;
  if (left && *left < *attempt.delivered.r_min) return false;
  return planned.complete || std::ranges::all_of(planned.faults, [](const std::string& fault) {
           return comes_after_the_head(moment_of(fault));
         });
}

bool has_effect(const Planned& planned, std::string_view effect) {
  return std::ranges::any_of(
      planned.faults, [effect](const std::string& fault) { return effect_of(fault) == effect; });
}

// How an answer that was not meant to arrive whole ended.
Kind broken_off(const Attempt& attempt) {
  for (const std::string_view effect : {"garbage", "bad_size", "two_lengths"}) {
    if (has_effect(attempt.planned, effect)) return Kind::malformed;
  }
  if (attempt.delivered.bytes > 0) return Kind::truncated;
  return has_effect(attempt.planned, "reset") ? Kind::reset : Kind::closed;
}

Kind kind_of(const Attempt& attempt) {
  const Delivered& delivered = attempt.delivered;
  switch (delivered.ending) {
    case Ending::pending:
      return delivered.peer_left ? Kind::left : Kind::nothing;
    case Ending::failed:
      return Kind::nothing;
    case Ending::peer_left:
      return Kind::left;
    case Ending::delivered:
      break;
  }
  if (attempt.planned.complete) return Kind::answered;
  const bool was_silent =
      has_effect(attempt.planned, "stall") || has_effect(attempt.planned, "swallow");
  if (delivered.peer_left && was_silent) return Kind::left;
  return broken_off(attempt);
}

}  // namespace

Seen seen_of(const Attempt& attempt) {
  const Delivered& delivered = attempt.delivered;
  Seen seen;
  seen.kind = kind_of(attempt);
  seen.spoiled = !delivered.faults_delivered || delivered.ending == Ending::failed;
  const bool has_head = head_was_written(attempt);
  if (has_head) seen.status = attempt.planned.status;
  switch (seen.kind) {
    case Kind::nothing:
      break;
    case Kind::left:
      seen.from = has_head ? delivered.r_min : delivered.peer_left;
      seen.until = delivered.peer_left;
      break;
    case Kind::answered:
      seen.status = attempt.planned.status;
      [[fallthrough]];
    case Kind::reset:
    case Kind::closed:
    case Kind::truncated:
    case Kind::malformed:
      seen.from = delivered.r_min ? delivered.r_min : delivered.ended;
      seen.until = delivered.r_max ? std::max(delivered.r_max, seen.from) : seen.from;
      break;
  }
  return seen;
}

std::string describe(const Seen& seen) {
  const std::string status = std::to_string(seen.status);
  switch (seen.kind) {
    case Kind::answered:
      return "a " + status;
    case Kind::reset:
      return "a reset";
    case Kind::closed:
      return "a closed connection";
    case Kind::truncated:
      return seen.status == 0 ? "a cut-off answer" : "a cut-off " + status;
    case Kind::malformed:
      return "bytes that are no answer";
    case Kind::left:
      return seen.status == 0 ? "a timeout" : "a " + status + " it did not read to its end";
    case Kind::nothing:
      return "no answer";
  }
  return "";
}

std::string_view word(Kind kind) {
  switch (kind) {
    case Kind::answered:
      return "answered";
    case Kind::reset:
      return "reset";
    case Kind::closed:
      return "closed";
    case Kind::truncated:
      return "truncated";
    case Kind::malformed:
      return "malformed";
    case Kind::left:
      return "left";
    case Kind::nothing:
      return "nothing";
  }
  return "";
}

}  // namespace retrylab::journal
