// SPDX-License-Identifier: MIT
// reset: the connection ends with an RST (SO_LINGER 0). The peer may lose bytes it has not read.
#include "server/scenario/faults/effects.h"

namespace retrylab::scenario {

Effect decode_reset(json::ObjectReader&) {
  return ResetEffect{};
}

std::string_view why_not(const ResetEffect&, Moment) {
  return "";
}

std::vector<wire::Action> to_actions(const ResetEffect&, Random&) {
  return {wire::Reset{}};
}

bool ends(const ResetEffect&) {
  return true;
}

std::string detail(const ResetEffect&) {
  return "";
}

}  // namespace retrylab::scenario
