// SPDX-License-Identifier: MIT
// reset: the connection ends with an RST (SO_LINGER 0). The peer may lose bytes it has not read.
#include "server/scenario/faults/effects.h"

namespace retrylab::scenario {

Effect decode_reset(json::ObjectReader&) {
  return ResetEffect{};
}

std::vector<wire::Action> to_actions(const ResetEffect&, Random&) {
  return {wire::Reset{}};
}

bool ends(const ResetEffect&) {
  return true;
}

}  // namespace retrylab::scenario
