// SPDX-License-Identifier: MIT
// Idle connections, by origin. Taking one never waits: who finds none makes a new one, so that
// no number of connections can deadlock.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace retrylab {

// Thread-safe. `Connection` is movable; destroying it closes it.
template <typename Connection>
class ConnectionPool {
 public:
  // The connection used last, which is the likeliest to stand still.
  std::optional<Connection> take(const std::string& origin) {
    const std::lock_guard lock(mutex_);
    const auto found = idle_.find(origin);
    if (found == idle_.end() || found->second.empty()) return std::nullopt;
    std::optional<Connection> last(std::move(found->second.back()));
    found->second.pop_back();
    return last;
  }

  // Keeps a connection that can be used again; one more than `most` is closed.
  void give(const std::string& origin, Connection connection, std::size_t most) {
    const std::lock_guard lock(mutex_);
    auto& idle = idle_[origin];
    if (idle.size() < most) idle.push_back(std::move(connection));
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<Connection>> idle_;
};

}  // namespace retrylab
