// SPDX-License-Identifier: MIT
#include "server/control/openapi.h"

namespace retrylab::control {
namespace {

struct Embedded {
  std::string_view name;
  std::string_view text;
};

constexpr Embedded kFiles[] = {
#include "openapi.inc"
};

}  // namespace

std::string_view openapi_text() {
  return kFiles[0].text;
}

}  // namespace retrylab::control
