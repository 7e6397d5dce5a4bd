// SPDX-License-Identifier: MIT
// stall: nothing happens any more, or nothing for a time ("for"). Nothing is read meanwhile.
#include "client_lib/base/duration_text.h"
#include "server/scenario/faults/effects.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario {

Effect decode_stall(json::ObjectReader& reader) {
  StallEffect effect;
  reader.optional("for", effect.time, json::read_wait);
  return effect;
}

std::string_view why_not(const StallEffect&, Moment at) {
  return phase(at) == Phase::kept_alive
             ? "a kept-alive connection is silent anyway; stall the next answer instead"
             : "";
}

std::vector<wire::Action> to_actions(const StallEffect& effect, Random&) {
  return {wire::Hold{effect.time}};
}

bool ends(const StallEffect& effect) {
  return !effect.time;
}

std::string detail(const StallEffect& effect) {
  return effect.time ? format_duration(*effect.time) : "";
}

}  // namespace retrylab::scenario
