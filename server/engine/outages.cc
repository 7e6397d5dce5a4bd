// SPDX-License-Identifier: MIT
#include "server/engine/outages.h"

#include <algorithm>

namespace retrylab::engine {

const scenario::Outage* outage_at(std::span<const scenario::Outage> outages, Duration elapsed) {
  const auto found = std::ranges::find_if(outages, [elapsed](const scenario::Outage& outage) {
    return outage.from <= elapsed && elapsed < outage.until;
  });
  return found == outages.end() ? nullptr : &*found;
}

}  // namespace retrylab::engine
