// SPDX-License-Identifier: MIT
// schema.json, as the build embeds it.
#include "server/scenario/load.h"

namespace retrylab::scenario {

std::string_view schema_text() {
  static constexpr std::string_view kText =
#include "schema.inc"
      ;
  return kText;
}

}  // namespace retrylab::scenario
