// SPDX-License-Identifier: MIT
// Servers of the light models: how long an attempt takes there and what it comes to. They know
// nothing of clients. For the scenario's real engine see server/sim/herd.h.
#pragma once

#include <cstdint>
#include <vector>

#include "client_lib/base/random.h"
#include "client_lib/base/ratio.h"
#include "client_lib/base/time.h"

namespace retrylab::sim {

class Service {
 public:
  struct Answer {
    int status = 200;  // 0: none ever comes
    Duration after{0};
    Duration retry_after{0};  // zero: no such header; else whole seconds
  };

  Service() = default;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  virtual ~Service() = default;
  // An attempt arrives. `fate` is its operation's own stream, so that the draws of one operation
  // are the same whatever the others do. Instants never decrease.
  virtual Answer arrive(Instant now, Random& fate) = 0;
  // Its answer leaves.
  virtual void leave(Instant) {}
};

// Fails each attempt with the same probability, at once.
class FailingService final : public Service {
 public:
  explicit FailingService(Ratio failure, int status = 503) : failure_(failure), status_(status) {}
  Answer arrive(Instant now, Random& fate) override;

 private:
  Ratio failure_;
  int status_;
};

// Never fails but slows down: `base` + `per_attempt` for each attempt being served already.
class SlowingService final : public Service {
 public:
  SlowingService(Duration base, Duration per_attempt) : base_(base), per_attempt_(per_attempt) {}
  Answer arrive(Instant now, Random& fate) override;
  void leave(Instant now) override;

 private:
  Duration base_;
  Duration per_attempt_;
  std::int64_t serving_ = 0;
};

// Serves the first `capacity` attempts of each window, counted from zero, and fails the others.
class WindowService final : public Service {
 public:
  WindowService(std::uint64_t capacity, Duration window) : capacity_(capacity), window_(window) {}
  Answer arrive(Instant now, Random& fate) override;

  // Attempts that arrived per window.
  const std::vector<std::uint64_t>& arrivals() const { return arrivals_; }

 private:
  std::uint64_t capacity_;
  Duration window_;
  std::vector<std::uint64_t> arrivals_;
};

// One attempt at a time, `service_time` each, and room for `queue` others; what does not fit is
// shed at once with 503. While it is out every attempt gets 503, or no answer at all when it hangs.
class QueueService final : public Service {
 public:
  struct Settings {
    Duration service_time{std::chrono::milliseconds(1)};
    std::uint32_t queue = 1000;
    Instant outage_from;
    Instant outage_until;
    bool hangs = false;
    Duration retry_after{0};  // with every 503; zero: none
  };
  explicit QueueService(const Settings& settings) : settings_(settings) {}
  Answer arrive(Instant now, Random& fate) override;

 private:
  Settings settings_;
  Instant free_at_;
};

}  // namespace retrylab::sim
