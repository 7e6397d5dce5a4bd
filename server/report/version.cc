// SPDX-License-Identifier: MIT
#include "server/report/report.h"

namespace retrylab::report {

std::string_view version() {
  return RETRYLAB_VERSION;
}

}  // namespace retrylab::report
