// SPDX-License-Identifier: MIT
#include "server/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace retrylab::cli {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::optional<std::size_t> columns_variable() {
  const auto text = environment("COLUMNS");
  std::size_t width = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  if (error != std::errc() || end != text.data() + text.size() || width == 0) return std::nullopt;
  return width;
}

std::optional<std::size_t> terminal_width(int fd) {
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

bool wants_colour(int fd) {
  if (!environment("NO_COLOR").empty()) return false;
  if (!environment("CLICOLOR_FORCE").empty()) return true;
  return isatty(fd) != 0 && environment("TERM") != "dumb";
}

}  // namespace

report::TextOptions text_options(std::FILE* stream, bool verbose) {
  report::TextOptions options{.verbose = verbose};
  const int fd = fileno(stream);
  if (const auto width = columns_variable())
    options.width = *width;
  else if (const auto actual = terminal_width(fd))
    options.width = *actual;
  options.colour = wants_colour(fd);
  return options;
}

}  // namespace retrylab::cli
