// SPDX-License-Identifier: MIT
#include "server/engine/resources.h"

#include <fmt/format.h>

#include "client_lib/base/check.h"

namespace retrylab::engine {

std::string Resources::create(std::string_view kind, Random& random) {
  CHECK(!full());
  ++made_;
  return fmt::format("{}_{:016x}", kind, random.next());
}

}  // namespace retrylab::engine
