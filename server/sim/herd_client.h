// SPDX-License-Identifier: MIT
// One client of a herd: its operations one after another, each as the retry decision (next_move)
// says. Nothing of the decision is changed or added to. Redirects are not followed.
//
// Between the client and the server there may be services that retry, too: each attempt of one
// layer is an operation of the one below, and only the last one's attempts are sent. A layer
// whose operation failed answers 503 to the one above; one that is out of time ends all below it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "client_lib/retry/next_move.h"
#include "server/sim/event_log.h"
#include "server/sim/measures.h"
#include "server/sim/request_for.h"
#include "server/sim/virtual_run.h"

namespace retrylab::sim {

class HerdClient final : public Client {
 public:
  // What all clients of a herd share; outlives them.
  struct Job {
    std::span<const Policy> policies;  // from the client's own down, one at least
    std::span<const Guards> services;  // of the layers below the client
    const Asked* asked = nullptr;
    std::shared_ptr<const VirtualRequest> request;  // where it needs no key
    std::uint32_t operations = 1;
    Duration think{0};  // between the end of one and the beginning of the next
    Measures* measures = nullptr;
    EventLog* log = nullptr;  // may be null
  };
  struct Self {
    std::uint64_t number = 0;  // for the log
    Guards guards;
    // As ClientOptions::seed of RetryClient: the same seed gives the same waits.
    std::uint64_t seed = 1;
    std::uint64_t first_operation = 0;  // its number among the client's
  };
  HerdClient(const Job& job, const Self& self);

  Move next(const Outcome* outcome, Instant now, WallTime wall) override;

 private:
  // An operation under way in one layer.
  struct Layer {
    Random jitter{0};
    Progress progress;
    Instant limit = kNever;  // of the attempt that is being made
  };

  void begin_operation(Instant now);
  void begin_below();
  retrylab::Move decide(const Outcome* outcome, Instant now, WallTime wall);
  const Outcome* time_is_up(const Outcome* outcome, Instant now, WallTime wall);
  void give_up_below(std::size_t depth, Instant now, WallTime wall);
  Move send(Instant now);
  Move wait(const WaitUntil& wait, Instant now);
  Move end(Reason reason, Instant now);
  Layer& layer(std::size_t depth) { return depth == 0 ? top_ : below_[depth - 1]; }
  Guards guards(std::size_t depth) const;
  // The earliest limit of the layers above `depth`.
  Instant limit_above(std::size_t depth);
  void note(Instant now, std::string_view what, std::uint64_t number) const;

  const Job& job_;
  Self self_;
  std::uint64_t operation_;
  Instant began_;
  Layer top_;
  std::unique_ptr<Layer[]> below_;                 // null, mostly; NOLINT(modernize-avoid-c-arrays)
  std::shared_ptr<const VirtualRequest> request_;  // of this operation
  std::uint32_t sent_ = 0;
  std::uint16_t depth_ = 0;  // of the layer whose move it is
  bool under_way_ = false;
};

}  // namespace retrylab::sim
