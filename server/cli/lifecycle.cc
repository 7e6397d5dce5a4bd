// SPDX-License-Identifier: MIT
#include "server/cli/lifecycle.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "server/cli/flags.h"
#include "server/cli/print.h"

namespace retrylab::cli {
namespace {

constexpr std::uint64_t kLargestDescriptor = 1U << 20U;

// Whole or not at all: who waits for the file must not read half of it.
Result<void> write_ready_file(const std::string& path, std::string_view line) {
  const std::string partial = path + ".part";
  std::ofstream file(partial, std::ios::binary);
  file << line;
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(partial, path, error);
  if (file && !error) return {};
  return fail(ErrorCode::machine, path, "cannot write the ready file");
}

Result<void> write_ready_fd(int fd, std::string_view line) {
  while (!line.empty()) {
    const ssize_t written = write(fd, line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      return fail(ErrorCode::machine, fmt::format("--ready-fd {}", fd),
                  fmt::format("cannot write the ready line: {}", std::strerror(errno)));
    }
    line.remove_prefix(static_cast<std::size_t>(written));
  }
  // Who reads to the end has it all. Standard output and error go on.
  if (fd > STDERR_FILENO) close(fd);
  return {};
}

}  // namespace

void add_lifecycle(CLI::App& command, Lifecycle& lifecycle) {
  command.add_option("--ready-file", lifecycle.ready_file, "Write the ready line to FILE too")
      ->option_text("FILE");
  command
      .add_option("--ready-fd", lifecycle.ready_fd,
                  "Write it to file descriptor N too, and close N")
      ->option_text("N")
      ->check(whole_number(1, kLargestDescriptor));
  add_exit_with_parent(command, lifecycle.holders);
  command.add_flag("--exit-on-stdin-close", lifecycle.holders.input,
                   "Stop when standard input ends");
}

void add_exit_with_parent(CLI::App& command, Leash::Holders& holders) {
  command.add_flag("--exit-with-parent", holders.parent,
                   "Stop when the process that started this one is gone");
}

Result<void> say_ready(const Lifecycle& lifecycle, std::string_view line) {
  write_text(stdout, line);
  if (auto written = check_output(); !written) return written;
  if (!lifecycle.ready_file.empty()) {
    if (auto written = write_ready_file(lifecycle.ready_file, line); !written) return written;
  }
  return lifecycle.ready_fd < 0 ? Result<void>() : write_ready_fd(lifecycle.ready_fd, line);
}

}  // namespace retrylab::cli
