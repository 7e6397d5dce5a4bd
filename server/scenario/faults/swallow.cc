// SPDX-License-Identifier: MIT
// swallow: the rest of the request is read and thrown away, and nothing is ever said. Unlike in a
// stall, whoever sends gets rid of all its bytes.
#include "server/scenario/faults/effects.h"

namespace retrylab::scenario {

Effect decode_swallow(json::ObjectReader&) {
  return SwallowEffect{};
}

std::string_view why_not(const SwallowEffect&, Moment at) {
  return at == Moment::request_headers || at == Moment::request_byte
             ? ""
             : "only at request_headers or request_byte is there a rest to swallow; elsewhere the "
               "word is \"stall\"";
}

std::vector<wire::Action> to_actions(const SwallowEffect&, Random&) {
  return {wire::DiscardUnread{}, wire::Hold{}};
}

bool ends(const SwallowEffect&) {
  return true;
}

}  // namespace retrylab::scenario
