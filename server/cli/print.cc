// SPDX-License-Identifier: MIT
#include "server/cli/print.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace retrylab::cli {
namespace {

// A pipe without a reader.
bool reader_has_left() {
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace

void write_text(std::FILE* stream, std::string_view text) {
  // The stream remembers that it failed.
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stream));
}

Result<void> check_output() {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int reason = errno;
  if (flushed && std::ferror(stdout) == 0) return {};
  if (reason == EPIPE || reader_has_left()) return {};
  return fail(ErrorCode::machine, "standard output",
              fmt::format("cannot be written{}{}", reason == 0 ? "" : ": ",
                          reason == 0 ? "" : std::strerror(reason)));
}

}  // namespace retrylab::cli
