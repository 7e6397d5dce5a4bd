// SPDX-License-Identifier: MIT
#include "server/control/event_text.h"

#include <fmt/format.h>

namespace retrylab::control {
namespace {

std::string_view event_name(Change::Why why) {
  switch (why) {
    case Change::Why::started:
      return "run_started";
    case Change::Why::reset:
      return "run_reset";
    case Change::Why::deleted:
    case Change::Why::ttl:
    case Change::Why::stopped:
      return "run_ended";
  }
  return "";
}

}  // namespace

std::string event_text(std::string_view name, const Json& json) {
  return fmt::format("event: {}\ndata: {}\n", name, text_of(json));
}

std::string event_text(const Change& change) {
  return event_text(event_name(change.why),
                    {{"run", to_json(change.run)}, {"why", word(change.why)}});
}

std::string dropped_event(std::uint64_t from, std::uint64_t until) {
  return event_text("dropped", {{"from", from}, {"until", until}});
}

}  // namespace retrylab::control
