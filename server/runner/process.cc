// SPDX-License-Identifier: MIT
#include "server/runner/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace retrylab::runner {
namespace {

// This process's environment with the command's variables put over it.
std::vector<std::string> environment_of(const Command& command) {
  const auto replaced = [&](std::string_view entry) {
    return std::ranges::any_of(command.environment, [&](const auto& variable) {
      return entry.starts_with(variable.first + "=");
    });
  };
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!replaced(*entry)) entries.emplace_back(*entry);
  }
  for (const auto& [name, value] : command.environment) entries.push_back(name + "=" + value);
  return entries;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// The two settings objects of posix_spawn, destroyed with this.
struct SpawnSettings {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};

  SpawnSettings(int output, std::optional<int> errors) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (errors) posix_spawn_file_actions_adddup2(&actions, *errors, STDERR_FILENO);
    if (isatty(STDIN_FILENO) != 0) {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigdefault(&attributes, &all);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
};

tl::unexpected<Error> machine_error(std::string_view what, int number) {
  return fail(ErrorCode::machine, "", fmt::format("{}: {}", what, std::strerror(number)));
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = other.release();
  }
  return *this;
}

void Descriptor::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

int Descriptor::release() {
  return std::exchange(fd_, -1);
}

Result<Process> Process::start(const Command& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return machine_error("cannot make a pipe", errno);
  Descriptor output(ends[0]);
  const Descriptor input(ends[1]);
  fcntl(output.get(), F_SETFL, O_NONBLOCK);

  auto arguments = command.arguments;
  auto environment = environment_of(command);
  const SpawnSettings settings(input.get(), command.errors);
  pid_t pid = -1;
  const int error =
      posix_spawnp(&pid, arguments.front().c_str(), &settings.actions, &settings.attributes,
                   pointers(arguments).data(), pointers(environment).data());
  if (error != 0) {
    return machine_error(fmt::format("cannot start the client \"{}\"", arguments.front()), error);
  }
  // By its number: glibc 2.36 declares pidfd_open() without C linkage.
  Descriptor pidfd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!pidfd.is_open()) {
    const int number = errno;
    kill(-pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    return machine_error("cannot watch the client", number);
  }
  return Process(pid, std::move(pidfd), std::move(output));
}

void Process::signal_group(int signal) const {
  if (pid_ > 0) kill(-pid_, signal);
}

ExitStatus Process::reap() {
  // Until it is collected the group keeps its number, so nothing else can be hit.
  signal_group(SIGKILL);
  int status = 0;
  waitpid(std::exchange(pid_, -1), &status, 0);
  ExitStatus result;
  if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace retrylab::runner
