// SPDX-License-Identifier: MIT
#include "server/scenario/faults/fault.h"

#include <array>

#include <fmt/format.h>

#include "client_lib/base/check.h"
#include "client_lib/base/duration_text.h"
#include "server/scenario/faults/effects.h"
#include "server/scenario/words.h"

namespace retrylab::scenario {
namespace {

constexpr std::array<EffectEntry, std::variant_size_v<Effect>> kEffects{
    {{"close", decode_close},
     {"half_close", decode_half_close},
     {"reset", decode_reset},
     {"stall", decode_stall},
     {"garbage", decode_garbage},
     {"leave_unread", decode_leave_unread},
     {"unsolicited", decode_unsolicited},
     {"swallow", decode_swallow}}};

std::string describe_moment(const Fault& fault) {
  const std::string_view name = word(fault.at);
  if (fault.at == Moment::idle) return fmt::format("{} {}", name, format_duration(fault.idle));
  if (fault.byte > 0) return fmt::format("{} {}", name, fault.byte);
  return std::string(name);
}

}  // namespace

std::span<const EffectEntry> effect_table() {
  return kEffects;
}

Phase phase(Moment moment) {
  switch (moment) {
    case Moment::accept:
    case Moment::request_start:
      return Phase::connection;
    case Moment::request_headers:
    case Moment::request_byte:
    case Moment::request_end:
      return Phase::reading;
    case Moment::response_start:
    case Moment::response_byte:
    case Moment::response_headers:
    case Moment::body_byte:
    case Moment::response_end:
      return Phase::writing;
    case Moment::idle:
    case Moment::next_request:
      return Phase::kept_alive;
  }
  check_failed("a moment has a phase", __FILE__, __LINE__);
}

std::vector<wire::Action> actions(const Effect& effect, Random& random) {
  return std::visit([&](const auto& one) { return to_actions(one, random); }, effect);
}

bool ends_connection(const Effect& effect) {
  return std::visit([](const auto& one) { return ends(one); }, effect);
}

std::string_view word(const Effect& effect) {
  return kEffects[effect.index()].word;
}

std::string describe(const Fault& fault) {
  const std::string more =
      std::visit([](const auto& effect) { return detail(effect); }, fault.effect);
  return fmt::format("{}{}{} at {}", word(fault.effect), more.empty() ? "" : " ", more,
                     describe_moment(fault));
}

}  // namespace retrylab::scenario
