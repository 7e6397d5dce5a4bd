// SPDX-License-Identifier: MIT
#include "server/control/openapi.h"

namespace retrylab::control {

std::string_view openapi_text() {
  static constexpr std::string_view kText =
#include "openapi.inc"
      ;
  return kText;
}

}  // namespace retrylab::control
