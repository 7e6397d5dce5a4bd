// SPDX-License-Identifier: MIT
#include "server/sim/herd.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "server/engine/engine.h"
#include "server/sim/client_seed.h"
#include "server/sim/client_side.h"
#include "server/sim/draws.h"
#include "server/sim/herd_client.h"
#include "server/sim/virtual_request.h"

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

// What the operations of one client share, or all calls of a service.
struct Shared {
  explicit Shared(const Policy& policy) {
    if (policy.budget) budget.emplace(*policy.budget);
    if (policy.breaker) breaker.emplace(*policy.breaker);
  }
  Guards guards() { return {budget ? &*budget : nullptr, breaker ? &*breaker : nullptr}; }

  std::optional<Budget> budget;
  std::optional<Breaker> breaker;
};

class Run {
 public:
  Run(const scenario::Scenario& scenario, const Herd& herd)
      : scenario_(scenario),
        herd_(herd),
        asked_(request_for(scenario)),
        counter_(result_.measures),
        recorder_({}, {.entries = 0, .bytes = 0}, &counter_, journal::Redaction::none()),
        engine_(scenario, {herd.seed, kWallOrigin, "http://localhost"}, recorder_),
        server_(queue_, engine_, recorder_, {}),
        policies_{herd.policy} {
    policies_.insert(policies_.end(), herd.services.begin(), herd.services.end());
    for (const Policy& policy : herd.services)
      guards_.push_back(services_.emplace_back(policy).guards());
    job_ = {.policies = policies_,
            .services = guards_,
            .asked = &asked_,
            .request = {},
            .operations = herd.interval ? 1 : herd.operations,
            .think = herd.think,
            .measures = &result_.measures,
            .log = herd.log};
    if (!asked_.needs_key) job_.request = make_request();
    begin_clients();
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
    Member(ClientSide::World& world, const HerdClient::Job& job, const HerdClient::Self& self)
        : side(world, client, static_cast<std::uint32_t>(self.number),
               Random::stream(self.seed, "network", self.first_operation).next()),
          client(job, self) {}

    // Side by side, since one event touches both.
    ClientSide side;
    HerdClient client;
  };

  std::shared_ptr<const VirtualRequest> make_request() const {
    return std::make_shared<const VirtualRequest>(
        Send{.method = asked_.method, .target = asked_.target, .body = asked_.body});
  }

  void begin_clients() {
    const bool guarded = herd_.policy.budget || herd_.policy.breaker;
    if (guarded) shared_.reserve(herd_.clients);  // they are pointed to
    for (std::uint32_t client = 0; guarded && client < herd_.clients; ++client) {
      shared_.emplace_back(herd_.policy);
    }
    if (!herd_.interval) {
      for (std::uint32_t client = 0; client < herd_.clients; ++client) start(client, 0);
      return;
    }
    begun_.resize(herd_.clients);
    if (herd_.evenly_per_second > 0) return next_in_turn(0);
    for (std::uint32_t client = 0; client < herd_.clients; ++client) {
      arrivals_.push_back(Random::stream(herd_.seed, "arrivals", client));
      next_arrival(client);
    }
  }

  void next_arrival(std::uint32_t client) {
    const Duration distance = draw_exponential(*herd_.interval, arrivals_[client]);
    const Instant at = saturating_add(queue_.now(), distance);
    if (at.time_since_epoch() >= herd_.length) return;
    ++busy_;
    queue_.at(at, [this, client] {
      start(client, begun_[client]++);
      --busy_;
      next_arrival(client);
    });
  }

  // The number-th of all operations, in whole nanoseconds from the beginning: no error adds up.
  void next_in_turn(std::uint64_t number) {
    __extension__ using Wide = __int128;
    constexpr Duration kSecond = std::chrono::seconds(1);
    const Wide at = Wide{number} * kSecond.count() / herd_.evenly_per_second;
    if (at >= Wide{herd_.length.count()}) return;
    ++busy_;
    queue_.at(Instant(Duration(static_cast<std::int64_t>(at))), [this, number] {
      const auto client = static_cast<std::uint32_t>(number % herd_.clients);
      start(client, begun_[client]++);
      --busy_;
      next_in_turn(number + 1);
    });
  }

  // Operations in turn, over connections of their own.
  void start(std::uint32_t number, std::uint64_t first_operation) {
    ++busy_;
    const HerdClient::Self self{.number = number,
                                .guards = shared_.empty() ? Guards() : shared_[number].guards(),
                                .seed = client_seed(herd_.seed, number),
                                .first_operation = first_operation};
    members_.emplace_back(world_, job_, self).side.start(queue_.now());
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
  std::vector<Policy> policies_;      // by layer
  std::deque<Shared> services_;       // by layer, without the clients
  std::vector<Guards> guards_;        // theirs
  std::vector<Shared> shared_;        // by client; empty: they share nothing
  std::vector<Random> arrivals_;      // by client, in an open loop
  std::vector<std::uint64_t> begun_;  // operations, by client, in an open loop
  HerdClient::Job job_;
  ClientSide::World world_{
      queue_,
      server_,
      herd_.network,
      kWallOrigin,
      [this] { return !engine_.gate(queue_.now()).open; },
      [this] { --busy_; },
      [this](std::uint32_t attempt) { result_.measures.arrived(queue_.now(), attempt == 1); },
      {}};
  std::deque<Member> members_;  // by operation, or by client in a closed loop
  std::uint64_t busy_ = 0;      // members that are not done, and clients that will begin
  bool recovery_known_ = false;
};

constexpr std::uint32_t kClientsMax = 10'000'000;

}  // namespace

Result<void> check_herd(const scenario::Scenario& scenario, const Herd& herd) {
  const auto wrong = [](std::string flag, std::string message) {
    return fail(ErrorCode::invalid_argument, std::move(flag), std::move(message));
  };
  if (scenario.routes.empty()) {
    return fail(ErrorCode::invalid_scenario, scenario.name, "has no route to send requests to");
  }
  if (herd.clients == 0) return wrong("--clients", "there has to be one at least");
  if (herd.clients > kClientsMax) {
    return wrong("--clients", "at most 10,000,000: each takes about a kilobyte of memory");
  }
  if (herd.operations == 0) return wrong("--operations", "there has to be one at least");
  if (herd.interval && *herd.interval <= Duration(0)) {
    return wrong("--rate", "has to be above zero, and below one operation per nanosecond");
  }
  if (herd.interval && herd.length <= Duration(0)) {
    return wrong("--for", "a rate needs a length of time: --for 60s");
  }
  if (herd.services.size() >= kLayersMax) {
    return wrong("--policy", "names more than " + std::to_string(kLayersMax) + " layers");
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
