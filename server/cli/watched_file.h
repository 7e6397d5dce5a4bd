// SPDX-License-Identifier: MIT
// Notices that a file was saved, by looking: that works for editors that write in place, for those
// that rename a new file over the old one, and on mounts where the kernel tells nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace retrylab::cli {

class WatchedFile {
 public:
  // False for what is there and is no regular file.
  static bool can_be(const std::string& path);

  // As it is now counts as seen.
  explicit WatchedFile(std::string path);

  const std::string& path() const { return path_; }

  // True once per change, at the second look that finds the same file: an editor may be in the
  // middle of writing at the first. A file that is missing has not changed.
  bool changed();

 private:
  struct State {
    std::uint64_t inode = 0;
    std::int64_t size = 0;
    std::int64_t modified_ns = 0;
    friend bool operator==(const State&, const State&) = default;
  };
  std::optional<State> look() const;

  std::string path_;
  std::optional<State> seen_;
  std::optional<State> last_;
};

}  // namespace retrylab::cli
