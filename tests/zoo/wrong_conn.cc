// SPDX-License-Identifier: MIT
// Clients that misuse a connection.
#include "tests/zoo/wrong_client.h"

namespace retrylab::zoo {

std::vector<WrongClient> wrong_connections() {
  return {};
}

}  // namespace retrylab::zoo
