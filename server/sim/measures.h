// SPDX-License-Identifier: MIT
// What a herd does to a server, counted while the simulation goes on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "client_lib/base/time.h"
#include "client_lib/retry/reason.h"

namespace retrylab::sim {

inline constexpr Duration kBin = std::chrono::milliseconds(100);
// Services that retry, one behind the other, the clients among them.
inline constexpr std::size_t kLayersMax = 5;

// One run's numbers. Counts, unless a type says otherwise.
struct Summary {
  std::uint64_t operations = 0;
  std::uint64_t attempts = 0;  // sent
  std::uint64_t arrivals = 0;  // of attempts at the server: those that were not lost
  std::uint64_t retries = 0;   // sent, after the first of their operation
  std::uint64_t successes = 0;
  std::uint64_t served = 0;         // attempts that the server answered with 2xx
  std::uint64_t unfinished = 0;     // operations cut off by the limit
  std::uint64_t peak_arrivals = 0;  // in one bin of 100 ms
  std::uint64_t peak_retries = 0;   // arrivals that were retries, in one bin
  Duration completion_p50{0};       // of the successful operations
  Duration completion_p99{0};
  Duration longest_silence{0};    // between two arrivals
  std::optional<Duration> drain;  // since recovery, until all who waited for it were done
  Duration end{0};                // of the last operation
  std::uint64_t events = 0;
  std::array<std::uint64_t, kLayersMax> by_layer{};  // attempts, from the clients down

  // Served in vain: nobody waited for the answer any more.
  std::uint64_t wasted() const { return served - successes; }
};

class Measures {
 public:
  // `recovery`: when the outage is over; nothing when there is none.
  explicit Measures(std::optional<Instant> recovery) : recovery_(recovery) {}
  Measures() = default;

  void began() { ++summary_.operations; }
  void sent(bool first);
  void sent_by(std::size_t layer) { ++summary_.by_layer[layer]; }
  void arrived(Instant now, bool first);
  void served(Instant now);
  void waiting(Instant now, std::uint64_t attempts);  // at the server
  void ended(Instant started, Instant now, Reason reason);
  void events(std::uint64_t count) { summary_.events = count; }
  void recovers(Instant at) { recovery_ = at; }

  // All operations that were begun and not ended count as unfinished.
  Summary summary() const;

  // Per 100 ms since the start.
  const std::vector<std::uint32_t>& arrivals() const { return arrivals_; }
  const std::vector<std::uint32_t>& retries() const { return retries_; }
  const std::vector<std::uint32_t>& successes() const { return successes_; }
  const std::vector<std::uint32_t>& queue() const { return queue_; }      // the most in each bin
  const std::vector<std::uint64_t>& reasons() const { return reasons_; }  // by Reason

 private:
  Summary summary_;
  std::optional<Instant> recovery_;
  std::optional<Instant> last_arrival_;
  Instant drained_;
  std::uint64_t ended_ = 0;
  std::vector<Duration> completions_;
  std::vector<std::uint32_t> arrivals_;
  std::vector<std::uint32_t> retries_;
  std::vector<std::uint32_t> successes_;
  std::vector<std::uint32_t> queue_;
  std::vector<std::uint64_t> reasons_;
};

}  // namespace retrylab::sim
