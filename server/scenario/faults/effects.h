// SPDX-License-Identifier: MIT
// What each effect's file gives to fault.cc and decode_fault.cc, which visit the variant. To add
// an effect: a struct in fault.h, its functions here and in a file of its name, and a line in
// effect_table().
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/scenario/faults/fault.h"
#include "server/scenario/json/object_reader.h"

namespace retrylab::scenario {

// Reads the effect's own members; `do`, `at` and `read` are read by the caller.
Effect decode_close(json::ObjectReader& reader);
Effect decode_half_close(json::ObjectReader& reader);
Effect decode_reset(json::ObjectReader& reader);
Effect decode_stall(json::ObjectReader& reader);
Effect decode_garbage(json::ObjectReader& reader);
Effect decode_leave_unread(json::ObjectReader& reader);
Effect decode_unsolicited(json::ObjectReader& reader);
Effect decode_swallow(json::ObjectReader& reader);

// Why the effect cannot stand at that moment, or "": most can stand at any.
template <typename Any>
std::string_view why_not(const Any&, Moment) {
  return "";
}
std::string_view why_not(const HalfCloseEffect& effect, Moment at);
std::string_view why_not(const StallEffect& effect, Moment at);
std::string_view why_not(const GarbageEffect& effect, Moment at);
std::string_view why_not(const LeaveUnreadEffect& effect, Moment at);
std::string_view why_not(const UnsolicitedEffect& effect, Moment at);
std::string_view why_not(const SwallowEffect& effect, Moment at);

std::vector<wire::Action> to_actions(const CloseEffect& effect, Random& random);
std::vector<wire::Action> to_actions(const HalfCloseEffect& effect, Random& random);
std::vector<wire::Action> to_actions(const ResetEffect& effect, Random& random);
std::vector<wire::Action> to_actions(const StallEffect& effect, Random& random);
std::vector<wire::Action> to_actions(const GarbageEffect& effect, Random& random);
std::vector<wire::Action> to_actions(const LeaveUnreadEffect& effect, Random& random);
std::vector<wire::Action> to_actions(const UnsolicitedEffect& effect, Random& random);
std::vector<wire::Action> to_actions(const SwallowEffect& effect, Random& random);

// Whether nothing can follow on this connection.
template <typename Any>
bool ends(const Any&) {
  return false;
}
bool ends(const CloseEffect& effect);
bool ends(const ResetEffect& effect);
bool ends(const StallEffect& effect);
bool ends(const SwallowEffect& effect);

// What the report adds to the word: "5s", "64B"; most have nothing.
template <typename Any>
std::string detail(const Any&) {
  return "";
}
std::string detail(const StallEffect& effect);
std::string detail(const GarbageEffect& effect);

// The words of `do`, in the order of the variant.
struct EffectEntry {
  std::string_view word;
  Effect (*decode)(json::ObjectReader& reader);
};
std::span<const EffectEntry> effect_table();

}  // namespace retrylab::scenario
