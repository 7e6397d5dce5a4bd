// SPDX-License-Identifier: MIT
// close: the connection ends with a FIN and nothing unread. A close in the middle of an answer
// truncates it.
#include "server/scenario/faults/effects.h"

namespace retrylab::scenario {

Effect decode_close(json::ObjectReader&) {
  return CloseEffect{};
}

std::vector<wire::Action> to_actions(const CloseEffect&, Random&) {
  return {wire::Close{}};
}

bool ends(const CloseEffect&) {
  return true;
}

}  // namespace retrylab::scenario
