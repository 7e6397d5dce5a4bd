// SPDX-License-Identifier: MIT
#include "server/cli/progress.h"

#include <unistd.h>

#include <cstdio>

#include "server/cli/print.h"

namespace retrylab::cli {

Progress::Progress(std::size_t all, std::string_view what)
    : all_(all), what_(what), shown_(all > 1 && isatty(STDERR_FILENO) != 0) {
  show();
}

Progress::~Progress() {
  if (shown_) print(stderr, "\r\033[K");
}

void Progress::step() {
  ++done_;
  show();
}

void Progress::add(std::size_t more) {
  all_ += more;
  show();
}

void Progress::show() const {
  if (!shown_) return;
  constexpr std::size_t kWidth = 40;
  const std::size_t filled = kWidth * done_ / all_;
  print(stderr, "\r[{:=<{}}{: <{}}] {} of {} {}", "", filled, "", kWidth - filled, done_, all_,
        what_);
  std::fflush(stderr);
}

}  // namespace retrylab::cli
