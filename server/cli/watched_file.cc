// SPDX-License-Identifier: MIT
#include "server/cli/watched_file.h"

#include <sys/stat.h>

#include <utility>

namespace retrylab::cli {

WatchedFile::WatchedFile(std::string path) : path_(std::move(path)), seen_(look()), last_(seen_) {}

bool WatchedFile::can_be(const std::string& path) {
  struct stat file {};
  return stat(path.c_str(), &file) != 0 || S_ISREG(file.st_mode);
}

std::optional<WatchedFile::State> WatchedFile::look() const {
  struct stat file {};
  if (stat(path_.c_str(), &file) != 0) return std::nullopt;
  constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
  return State{.inode = file.st_ino,
               .size = file.st_size,
               .modified_ns = file.st_mtim.tv_sec * kNanosecondsPerSecond + file.st_mtim.tv_nsec};
}

bool WatchedFile::changed() {
  const auto now = look();
  const bool settled = now && now == last_;
  last_ = now;
  if (!settled || now == seen_) return false;
  seen_ = now;
  return true;
}

}  // namespace retrylab::cli
