// SPDX-License-Identifier: MIT
// leave_unread: the answer starts early and the rest of the request body stays unread.
#include "server/scenario/faults/effects.h"

namespace retrylab::scenario {

Effect decode_leave_unread(json::ObjectReader&) {
  return LeaveUnreadEffect{};
}

std::string_view why_not(const LeaveUnreadEffect&, Moment at) {
  return at == Moment::request_headers || at == Moment::request_byte
             ? ""
             : "only at request_headers or request_byte is there a body left to leave unread";
}

std::vector<wire::Action> to_actions(const LeaveUnreadEffect&, Random&) {
  return {};
}

}  // namespace retrylab::scenario
