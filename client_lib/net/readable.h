// SPDX-License-Identifier: MIT
// Whether an idle connection can still be used.
#pragma once

#include <poll.h>

namespace retrylab {

// Something waits to be read on a connection that owes nothing: a FIN, an RST, or bytes that
// nobody asked for and that would be taken for the next answer. Either way it is of no more use.
inline bool has_news(int socket) {
  pollfd poll_for{.fd = socket, .events = POLLIN, .revents = 0};
  return ::poll(&poll_for, 1, 0) != 0;
}

}  // namespace retrylab
