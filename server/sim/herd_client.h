// SPDX-License-Identifier: MIT
// One client of a herd: its operations one after another, each as the retry decision (next_move)
// says. Nothing of the decision is changed or added to. Redirects are not followed.
#pragma once

#include <cstdint>

#include "client_lib/retry/next_move.h"
#include "server/sim/event_log.h"
#include "server/sim/measures.h"
#include "server/sim/request_for.h"
#include "server/sim/virtual_run.h"

namespace retrylab::sim {

class HerdClient final : public Client {
 public:
  // What is pointed to outlives the client.
  struct Job {
    const Policy* policy = nullptr;
    const Asked* asked = nullptr;
    Guards guards;
    // As ClientOptions::seed of RetryClient: the same seed gives the same waits.
    std::uint64_t seed = 1;
    std::uint64_t first_operation = 0;  // its number among the client's
    std::uint32_t operations = 1;
    Duration think{0};         // between the end of one and the beginning of the next
    std::uint64_t number = 0;  // the client's, for the log
    Measures* measures = nullptr;
    EventLog* log = nullptr;  // may be null
  };
  explicit HerdClient(const Job& job);

  Move next(const Outcome* outcome, Instant now, WallTime wall) override;

 private:
  void begin_operation(Instant now);
  Move send(const AttemptNow& attempt, Instant now);
  Move end(Reason reason, Instant now);
  void note(Instant now, std::string_view what, std::uint64_t number) const;

  Job job_;
  std::uint64_t operation_;
  bool under_way_ = false;
  Instant began_;
  Random jitter_;
  Progress progress_;
  std::string key_;
};

}  // namespace retrylab::sim
