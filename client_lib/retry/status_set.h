// SPDX-License-Identifier: MIT
// A set of HTTP statuses, 100 to 599. Looking one up allocates nothing.
#pragma once

#include <bitset>
#include <initializer_list>

namespace retrylab {

class StatusSet {
 public:
  static constexpr int kLowest = 100;
  static constexpr int kHighest = 599;

  StatusSet() = default;
  StatusSet(std::initializer_list<int> statuses) {
    for (const int status : statuses) insert(status);
  }

  // 500 to 599.
  static StatusSet all_server_errors() {
    StatusSet set;
    for (int status = 500; status <= kHighest; ++status) set.insert(status);
    return set;
  }

  static bool in_range(int status) { return status >= kLowest && status <= kHighest; }

  // Statuses outside 100 to 599 are left out.
  void insert(int status) {
    if (in_range(status)) bits_.set(static_cast<std::size_t>(status - kLowest));
  }
  bool contains(int status) const {
    return in_range(status) && bits_.test(static_cast<std::size_t>(status - kLowest));
  }

  friend bool operator==(const StatusSet&, const StatusSet&) = default;

 private:
  std::bitset<kHighest - kLowest + 1> bits_;
};

}  // namespace retrylab
