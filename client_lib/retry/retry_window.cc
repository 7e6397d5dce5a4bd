// SPDX-License-Identifier: MIT
#include "client_lib/retry/retry_window.h"

namespace retrylab {
namespace {

__extension__ using Wide = unsigned __int128;

}  // namespace

// first_tries:  retries + 1 <= ratio * first tries + reserve
// all_attempts: retries      < ratio * (first tries + retries) + reserve
bool RetryWindow::fits(const SlidingCounts::Counts& counts) const {
  // Everything times `whole` and a second, to stay with integers.
  const auto second = static_cast<std::uint64_t>(Duration(std::chrono::seconds(1)).count());
  const auto window = static_cast<std::uint64_t>(policy_.window.count());
  const Wide reserve = Wide{policy_.per_second} * window * policy_.ratio.whole;
  const bool of_all = policy_.of == RetryWindowPolicy::Of::all_attempts;
  const std::uint64_t requests = counts.first + (of_all ? counts.second : 0);
  const Wide allowed = Wide{policy_.ratio.part} * requests * second + reserve;
  const std::uint64_t retries = counts.second + (of_all ? 0 : 1);
  const Wide used = Wide{policy_.ratio.whole} * retries * second;
  return of_all ? used < allowed : used <= allowed;
}

bool RetryWindow::take_retry(Instant now) {
  if (!fits(counts_.sum(now))) return false;
  counts_.add_second(now);
  return true;
}

}  // namespace retrylab
