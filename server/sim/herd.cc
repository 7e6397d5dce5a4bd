// SPDX-License-Identifier: MIT
#include "server/sim/herd.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "server/engine/engine.h"
#include "server/engine/outages.h"
#include "server/sim/client_seed.h"
#include "server/sim/client_side.h"
#include "server/sim/draws.h"
#include "server/sim/herd_client.h"

namespace retrylab::sim {
namespace {

// Counts what the engine plans and delivers; keeps nothing.
class Counter final : public journal::Sink {
 public:
  explicit Counter(Measures& measures) : measures_(measures) {}

  void begun(const journal::Attempt& attempt) override {
    measures_.waiting(attempt.head_read, ++serving_);
  }
  void ended(const journal::Attempt& attempt) override {
    --serving_;
    const int status = attempt.planned.status;
    if (status >= 200 && status < 300 && attempt.delivered.r_min) {
      measures_.served(*attempt.delivered.r_min);
    }
  }
  void run_started(const journal::Run&) override {}
  void connection_opened(const journal::Connection&) override {}
  void connection_ended(const journal::Connection&) override {}
  void resource(const journal::Resource&) override {}
  void lag(const journal::Lag&) override {}
  void client_ended(const journal::ClientEnd&) override {}
  void run_ended(const journal::Run&) override {}

 private:
  Measures& measures_;
  std::uint64_t serving_ = 0;
};

// What the operations of one client share.
struct Shared {
  std::optional<Budget> budget;
  std::optional<Breaker> breaker;
  Random arrivals;
  std::uint64_t begun = 0;
};

class Run {
 public:
  Run(const scenario::Scenario& scenario, const Herd& herd)
      : scenario_(scenario),
        herd_(herd),
        asked_(request_for(scenario)),
        counter_(result_.measures),
        recorder_({}, {.entries = 0, .bytes = 0}, &counter_),
        engine_(scenario, {herd.seed, kWallOrigin, "http://localhost"}, recorder_),
        server_(queue_, engine_, recorder_, {}) {
    shared_.reserve(herd.clients);
    for (std::uint32_t client = 0; client < herd.clients; ++client) {
      Shared& shared =
          shared_.emplace_back(Shared{.arrivals = Random::stream(herd.seed, "arrivals", client)});
      if (herd.policy.budget) shared.budget.emplace(*herd.policy.budget);
      if (herd.policy.breaker) shared.breaker.emplace(*herd.policy.breaker);
      begin_client(client);
    }
  }

  HerdResult run() {
    const Instant end = saturating_add(Instant(), herd_.time_max);
    std::uint64_t events = 0;
    while (busy_ > 0 && events < herd_.events_max && queue_.run_next(end)) {
      ++events;
      if (!recovery_known_) find_recovery();
    }
    if (busy_ > 0) {
      const bool at_events = events == herd_.events_max;
      result_.stopped = at_events ? HerdResult::Stopped::events : HerdResult::Stopped::time;
    }
    result_.measures.events(events);
    return std::move(result_);
  }

 private:
  static constexpr WallTime kWallOrigin{std::chrono::seconds(1'795'000'000)};

  struct Member {
    std::unique_ptr<HerdClient> client;
    std::unique_ptr<ClientSide> side;
  };

  void begin_client(std::uint32_t client) {
    if (herd_.interval) return next_arrival(client);
    start(client, herd_.operations);
  }

  void next_arrival(std::uint32_t client) {
    const Duration distance = draw_exponential(*herd_.interval, shared_[client].arrivals);
    const Instant at = saturating_add(queue_.now(), distance);
    if (at.time_since_epoch() >= herd_.length) return;
    ++busy_;
    queue_.at(at, [this, client] {
      start(client, 1);
      --busy_;
      next_arrival(client);
    });
  }

  // Operations in turn, over connections of their own.
  void start(std::uint32_t number, std::uint32_t operations) {
    ++busy_;
    Shared& shared = shared_[number];
    HerdClient::Job job{.policy = &herd_.policy,
                        .asked = &asked_,
                        .guards = {shared.budget ? &*shared.budget : nullptr,
                                   shared.breaker ? &*shared.breaker : nullptr},
                        .seed = client_seed(herd_.seed, number),
                        .first_operation = shared.begun++,
                        .operations = operations,
                        .think = herd_.think,
                        .number = number,
                        .measures = &result_.measures,
                        .log = herd_.log};
    ClientSide::Setting setting{herd_.network, kWallOrigin, number, [this] { return refuses(); },
                                [this] { --busy_; }};
    setting.seed = Random::stream(job.seed, "network", job.first_operation).next();
    setting.arrived = [this](std::uint32_t attempt) {
      result_.measures.arrived(queue_.now(), attempt == 1);
    };
    Member& member = members_.emplace_back();
    member.client = std::make_unique<HerdClient>(job);
    member.side = std::make_unique<ClientSide>(queue_, server_, *member.client, std::move(setting));
    member.side->start(queue_.now());
  }

  Duration elapsed() const {
    const auto zero = engine_.time_zero();
    return zero ? queue_.now() - *zero : Duration(0);
  }

  bool refuses() const {
    const scenario::Outage* outage = engine::outage_at(scenario_.outages, elapsed());
    return outage != nullptr && outage->what == scenario::Outage::Do::refuse;
  }

  // The end of the last outage, once the run's clock has started.
  void find_recovery() {
    const auto zero = engine_.time_zero();
    if (!zero) return;
    recovery_known_ = true;
    const auto last = std::ranges::max_element(scenario_.outages, {}, &scenario::Outage::until);
    if (last != scenario_.outages.end() && last->until != kForever) {
      result_.measures.recovers(saturating_add(*zero, last->until));
    }
  }

  const scenario::Scenario& scenario_;
  const Herd& herd_;
  HerdResult result_;
  const Asked asked_;
  EventQueue queue_;
  Counter counter_;
  journal::Recorder recorder_;
  engine::Engine engine_;
  ServerSide server_;
  std::vector<Shared> shared_;   // by client
  std::vector<Member> members_;  // by operation, or by client in a closed loop
  std::uint64_t busy_ = 0;       // members that are not done, and clients that will begin
  bool recovery_known_ = false;
};

}  // namespace

Result<void> check_herd(const scenario::Scenario& scenario, const Herd& herd) {
  const auto wrong = [](std::string flag, std::string message) {
    return fail(ErrorCode::invalid_argument, std::move(flag), std::move(message));
  };
  if (scenario.routes.empty()) {
    return fail(ErrorCode::invalid_scenario, scenario.name, "has no route to send requests to");
  }
  if (herd.clients == 0) return wrong("--clients", "there has to be one at least");
  if (herd.operations == 0) return wrong("--operations", "there has to be one at least");
  if (herd.interval && *herd.interval <= Duration(0)) {
    return wrong("--rate", "has to be above zero, and below one operation per nanosecond");
  }
  if (herd.interval && herd.length <= Duration(0)) {
    return wrong("--for", "a rate needs a length of time: --for 60s");
  }
  const bool needs_timeout = herd.network.loss.part > 0 &&
                             herd.policy.attempt_timeout == kForever &&
                             herd.policy.deadline == kForever;
  if (needs_timeout) {
    return wrong("--loss",
                 "a client without a time limit would wait forever for a lost answer: "
                 "give the policy an attempt_timeout");
  }
  return {};
}

HerdResult run_herd(const scenario::Scenario& scenario, const Herd& herd) {
  return Run(scenario, herd).run();
}

}  // namespace retrylab::sim
