// SPDX-License-Identifier: MIT
#include "server/cli/leash.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

namespace retrylab::cli {
namespace {

Result<runner::Descriptor> open_parent() {
  const pid_t parent = getppid();
  if (parent == 0) {
    return fail(ErrorCode::machine, "--exit-with-parent", "this process has no parent here");
  }
  runner::Descriptor pidfd(static_cast<int>(syscall(SYS_pidfd_open, parent, 0)));
  if (pidfd.is_open()) return pidfd;
  return fail(ErrorCode::machine, "--exit-with-parent",
              fmt::format("cannot watch process {}: {}", parent, std::strerror(errno)));
}

// Throws away what there is. False at the end of the input, or when it cannot be read.
bool input_goes_on() {
  std::array<char, 4096> ignored;
  const ssize_t got = read(STDIN_FILENO, ignored.data(), ignored.size());
  return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

}  // namespace

Result<std::unique_ptr<Leash>> Leash::hold(Holders holders) {
  std::unique_ptr<Leash> leash(new Leash);
  if (!holders.parent && !holders.input) return leash;
  if (holders.parent) {
    auto parent = open_parent();
    if (!parent) return tl::unexpected(parent.error());
    leash->parent_ = std::move(*parent);
  }
  leash->input_ = holders.input;
  leash->let_go_ = runner::Descriptor(eventfd(0, EFD_CLOEXEC));
  if (!leash->let_go_.is_open()) return fail(ErrorCode::machine, "", "cannot make an eventfd");
  leash->thread_ = std::thread([watcher = leash.get()] { watcher->watch(); });
  return leash;
}

Leash::~Leash() {
  if (!thread_.joinable()) return;
  const std::uint64_t one = 1;
  // An eventfd at zero always takes a one.
  [[maybe_unused]] const auto written = write(let_go_.get(), &one, sizeof one);
  thread_.join();
}

void Leash::watch() const {
  while (true) {
    std::array<pollfd, 3> fds{{{.fd = let_go_.get(), .events = POLLIN, .revents = 0},
                               {.fd = parent_.get(), .events = POLLIN, .revents = 0},
                               {.fd = input_ ? STDIN_FILENO : -1, .events = POLLIN, .revents = 0}}};
    if (poll(fds.data(), fds.size(), -1) < 0) continue;  // EINTR
    if (fds[0].revents != 0) return;
    if (fds[1].revents != 0 || (fds[2].revents != 0 && !input_goes_on())) {
      kill(getpid(), SIGTERM);
      return;
    }
  }
}

}  // namespace retrylab::cli
