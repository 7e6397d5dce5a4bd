// SPDX-License-Identifier: MIT
// half_close: a FIN, while the server goes on reading. Nothing more can be written after it.
#include "server/scenario/faults/effects.h"

namespace retrylab::scenario {

Effect decode_half_close(json::ObjectReader&) {
  return HalfCloseEffect{};
}

std::string_view why_not(const HalfCloseEffect&, Moment at) {
  return phase(at) == Phase::kept_alive
             ? "a kept-alive connection can be closed, reset or sent an unsolicited answer"
             : "";
}

std::vector<wire::Action> to_actions(const HalfCloseEffect&, Random&) {
  return {wire::ShutdownWrite{}};
}

}  // namespace retrylab::scenario
