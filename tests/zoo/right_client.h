// SPDX-License-Identifier: MIT
// A client that follows its habits, as the state machine that the simulator runs.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "client_lib/base/random.h"
#include "server/sim/virtual_run.h"
#include "tests/zoo/call.h"
#include "tests/zoo/habits.h"
#include "tests/zoo/shared.h"

namespace retrylab::zoo {

// Makes its calls one after another, the n-th not before n * every; done with the last one's
// success. Clients of one program have the same `shared`.
class RightClient final : public sim::Client {
 public:
  struct Setting {
    std::vector<Call> calls;
    Duration every{0};
    std::shared_ptr<Shared> shared = std::make_shared<Shared>();
  };
  RightClient(Habits habits, Setting setting, Random random)
      : habits_(std::move(habits)), setting_(std::move(setting)), random_(random) {}

  sim::Move next(const Outcome* outcome, Instant now, WallTime wall) override;

 private:
  sim::Move begin(Instant now, WallTime wall);
  sim::Move judge(const Outcome& outcome, Instant now, WallTime wall);
  sim::Move follow();
  sim::Move retry();
  sim::Move wake(Instant now);
  sim::Move send(Instant now);
  sim::Move over(bool success, Instant now);

  Habits habits_;
  Setting setting_;
  Random random_;
  Instant started_;
  std::size_t calls_begun_ = 0;
  bool idle_ = true;  // between two operations
  Progress progress_;
};

}  // namespace retrylab::zoo
