// SPDX-License-Identifier: MIT
#include "server/scenario/faults/order.h"

#include <string>
#include <tuple>

#include <fmt/format.h>

#include "server/scenario/words.h"

namespace retrylab::scenario {
namespace {

bool same_moment(const Fault& left, const Fault& right) {
  return std::tie(left.at, left.byte, left.idle) == std::tie(right.at, right.byte, right.idle);
}

bool comes_before(const Fault& left, const Fault& right) {
  return std::tie(left.at, left.byte, left.idle) < std::tie(right.at, right.byte, right.idle);
}

// Where the body begins depends on the length of the head, so the two scales cannot be ordered.
bool mixes_scales(const Fault& left, const Fault& right) {
  const auto counts_from_head = [](Moment at) {
    return at == Moment::response_headers || at == Moment::body_byte;
  };
  return (left.at == Moment::response_byte && counts_from_head(right.at)) ||
         (right.at == Moment::response_byte && counts_from_head(left.at));
}

std::string problem(const Fault& before, const Fault& fault) {
  if (ends_connection(before.effect)) {
    return fmt::format("this can never happen: the {} before it ends the connection", before.text);
  }
  if (mixes_scales(before, fault)) {
    return "response_byte cannot be mixed with response_headers or body_byte: which comes first "
           "depends on the length of the head";
  }
  if (comes_before(fault, before)) {
    return fmt::format("out of order: {} comes before {}", fault.text, before.text);
  }
  if (std::holds_alternative<HalfCloseEffect>(before.effect) && !same_moment(before, fault) &&
      phase(fault.at) != Phase::reading && phase(fault.at) != Phase::connection) {
    return fmt::format("{} never comes: nothing is written after {}", word(fault.at), before.text);
  }
  if (std::holds_alternative<LeaveUnreadEffect>(before.effect) &&
      phase(fault.at) != Phase::writing) {
    return fmt::format("{} never comes: {} leaves the request unread", word(fault.at), before.text);
  }
  return "";
}

}  // namespace

void check_order(const std::vector<PlacedFault>& faults, json::Mistakes& mistakes) {
  for (std::size_t i = 1; i < faults.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      std::string message = problem(faults[j].fault, faults[i].fault);
      if (message.empty()) continue;
      mistakes.add(*faults[i].node, std::move(message));
      break;
    }
  }
}

}  // namespace retrylab::scenario
