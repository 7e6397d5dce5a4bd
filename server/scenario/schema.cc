// SPDX-License-Identifier: MIT
// schema.json, as the build embeds it.
#include "server/scenario/load.h"

namespace retrylab::scenario {
namespace {

struct Embedded {
  std::string_view name;
  std::string_view text;
};

constexpr Embedded kFiles[] = {
#include "schema.inc"
};

}  // namespace

std::string_view schema_text() {
  return kFiles[0].text;
}

}  // namespace retrylab::scenario
