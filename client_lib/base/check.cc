// SPDX-License-Identifier: MIT
#include "client_lib/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace retrylab {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "retrylab: internal error: %s does not hold (%s:%d)\n", condition, file,
               line);
  std::abort();
}

}  // namespace retrylab
