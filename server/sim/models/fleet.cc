// SPDX-License-Identifier: MIT
#include "server/sim/models/fleet.h"

#include <vector>

#include "client_lib/retry/next_move.h"
#include "server/sim/client_seed.h"
#include "server/sim/draws.h"
#include "server/sim/models/fleet_parts.h"
#include "server/sim/monotone_queue.h"
#include "server/sim/prefetch.h"

namespace retrylab::sim {
namespace {

using namespace fleet;  // NOLINT: its own parts

class Model {
 public:
  Model(const Fleet& fleet, Service& service)
      : fleet_(fleet),
        service_(service),
        policy_once_(fleet.policy),
        stray_(Random::stream(fleet.seed, "stray")) {
    result_.measures = Measures(fleet.recovery);
    policy_once_.attempts = 1;
    timeout_.failure = Failure::timeout;
    if (fleet.policy.budget || fleet.policy.breaker) make_guards();
    if (fleet.lifetime_share) lifetimes_.resize(fleet.clients);
    if (fleet.arrivals.kind != Arrivals::Kind::at_once) operations_begun_.resize(fleet.clients);
    start();
  }

  FleetResult run() {
    std::uint64_t events = 0;
    const Instant end = saturating_add(Instant(), fleet_.time_max);
    while (!queue_.empty() && live_ > 0) {
      if (events == fleet_.events_max) {
        result_.stopped = FleetResult::Stopped::events;
        break;
      }
      const Event event = *queue_.take_until(kNever, [this](const Event& soon) { fetch(soon); });
      if (queue_.now() > end) {
        result_.stopped = FleetResult::Stopped::time;
        break;
      }
      ++events;
      handle(event);
    }
    result_.measures.events(events);
    return std::move(result_);
  }

 private:
  // A million operations lie in no cache: what an event will touch is fetched while others run.
  void fetch(const Event& event) const {
    if (event.kind == Kind::begin) return;
    prefetch(&operations_[event.subject], sizeof(Operation));
    if (event.kind == Kind::leave || event.kind == Kind::timeout) return;
    prefetch(&decisions_[event.subject], sizeof(Decision));
  }

  void make_guards() {
    guards_.resize(fleet_.clients);
    for (Shared& shared : guards_) {
      if (fleet_.policy.budget) shared.budget.emplace(*fleet_.policy.budget);
      if (fleet_.policy.breaker) shared.breaker.emplace(*fleet_.policy.breaker);
    }
  }

  // ---- Arrivals of operations ----

  void start() {
    if (fleet_.arrivals.kind == Arrivals::Kind::even) {
      live_ = 1;
      return queue_.at(Instant(), {.subject = 0, .kind = Kind::begin});
    }
    live_ = fleet_.clients;
    operations_.reserve(fleet_.clients);
    decisions_.reserve(fleet_.clients);
    const bool poisson = fleet_.arrivals.kind == Arrivals::Kind::poisson;
    for (std::uint32_t client = 0; client < fleet_.clients; ++client) {
      if (poisson) {
        arrivals_.push_back(Random::stream(fleet_.seed, "arrivals", client));
        begin_later(client);
      } else {
        queue_.at(Instant(), {.subject = client, .kind = Kind::begin});
      }
    }
  }

  // A surge doubles the rate: candidates come twice as often all the time, and outside the surge
  // every other one is dropped by a draw.
  void begin_later(std::uint32_t client) {
    const Arrivals& arrivals = fleet_.arrivals;
    Random& random = arrivals_[client];
    const bool surges = arrivals.surge_until > arrivals.surge_from;
    Instant at = queue_.now();
    bool dropped = true;
    while (dropped) {
      at = saturating_add(
          at, draw_exponential(surges ? arrivals.interval / 2 : arrivals.interval, random));
      const Duration time = at.time_since_epoch();
      const bool in_surge = time >= arrivals.surge_from && time < arrivals.surge_until;
      dropped = surges && !in_surge && random.chance({1, 2});
    }
    schedule_begin(client, at);
  }

  void schedule_begin(std::uint32_t client, Instant at) {
    if (at.time_since_epoch() >= fleet_.arrivals.length) {
      --live_;
    } else {
      queue_.at(at, {.subject = client, .kind = Kind::begin});
    }
  }

  void schedule_next(std::uint32_t client) {
    switch (fleet_.arrivals.kind) {
      case Arrivals::Kind::at_once:
        --live_;
        return;
      case Arrivals::Kind::poisson:
        return begin_later(client);
      case Arrivals::Kind::even: {
        __extension__ using Wide = __int128;
        const Wide ns = Wide{++even_} * 1'000'000'000 / fleet_.arrivals.per_second;
        return schedule_begin(static_cast<std::uint32_t>(even_ % fleet_.clients),
                              Instant(Duration(static_cast<std::int64_t>(ns))));
      }
    }
  }

  void begin_operation(std::uint32_t client) {
    const std::uint32_t slot = take_slot();
    Operation& operation = operations_[slot];
    const std::uint64_t number = operations_begun_.empty() ? 0 : operations_begun_[client]++;
    const std::uint64_t index = (std::uint64_t{client} << 32U) | number;
    Decision& decision = decisions_[slot];
    decision.jitter = Random::stream(client_seed(fleet_.seed, client), "jitter", number);
    operation.network = Random::stream(fleet_.seed, "network", index);
    decision.fate = Random::stream(fleet_.seed, "fate", index);
    decision.progress = retrylab::begin({});
    operation.began = queue_.now();
    operation.client = client;
    ++live_;
    result_.measures.began();
    schedule_next(client);
    ask(slot, nullptr);
  }

  std::uint32_t take_slot() {
    if (free_.empty()) {
      operations_.push_back({.network = stray_});
      decisions_.push_back({.progress = {}, .jitter = stray_, .fate = stray_});
      return static_cast<std::uint32_t>(operations_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }

  // ---- The client ----

  // The retry decision on what the attempt came to, or on the end of a wait.
  void ask(std::uint32_t slot, const Outcome* outcome) {
    Operation& operation = operations_[slot];
    Guards guards;
    if (!guards_.empty()) {
      Shared& shared = guards_[operation.client];
      guards.budget = shared.budget ? &*shared.budget : nullptr;
      guards.breaker = shared.breaker ? &*shared.breaker : nullptr;
    }
    const Policy& policy = out_of_share(operation, outcome) ? policy_once_ : fleet_.policy;
    Decision& decision = decisions_[slot];
    const Move move = next_move(policy, decision.progress, outcome,
                                {{queue_.now(), {}}, decision.jitter, guards});
    if (const auto* attempt = std::get_if<AttemptNow>(&move)) return send(slot, attempt->time);
    if (const auto* wait = std::get_if<WaitUntil>(&move)) {
      return queue_.at(wait->at, {slot, operation.ticket, 0, 0, Kind::wake, false});
    }
    if (const auto* finish = std::get_if<Finish>(&move)) return end(slot, finish->reason);
    end(slot, Reason::redirect_refused);
  }

  bool out_of_share(const Operation& operation, const Outcome* outcome) {
    if (lifetimes_.empty() || outcome == nullptr) return false;
    Lifetime& lifetime = lifetimes_[operation.client];
    ++lifetime.attempts;
    if (!outcome->answered() || outcome->response.status >= 300) ++lifetime.failures;
    return lifetime.failures * fleet_.lifetime_share->whole >
           lifetime.attempts * fleet_.lifetime_share->part;
  }

  void send(std::uint32_t slot, Duration time) {
    Operation& operation = operations_[slot];
    const bool first = decisions_[slot].progress.attempts == 1;
    const std::uint32_t ticket = ++operation.ticket;
    operation.awaits_answer = true;
    result_.measures.sent(first);
    if (const auto way = draw_way(fleet_.network, operation.network)) {
      queue_.after(*way, {slot, ticket, 0, 0, Kind::arrive, first});
    }
    operation.gives_up = saturating_add(queue_.now(), time);
    set_timer(slot);
  }

  void set_timer(std::uint32_t slot) {
    Operation& operation = operations_[slot];
    if (operation.has_timer || operation.gives_up == kNever) return;
    operation.has_timer = true;
    queue_.at(operation.gives_up, {.subject = slot, .kind = Kind::timeout});
  }

  void timer(std::uint32_t slot) {
    Operation& operation = operations_[slot];
    operation.has_timer = false;
    if (!operation.awaits_answer) return;
    if (queue_.now() < operation.gives_up) return set_timer(slot);
    note(Kind::timeout, operation.client, 0);
    operation.awaits_answer = false;
    ask(slot, &timeout_);
  }

  void settle(const Event& event, const Outcome& outcome) {
    Operation& operation = operations_[event.subject];
    if (event.ticket != operation.ticket || !operation.awaits_answer) return;
    operation.awaits_answer = false;
    ask(event.subject, &outcome);
  }

  void end(std::uint32_t slot, Reason reason) {
    Operation& operation = operations_[slot];
    result_.measures.ended(operation.began, queue_.now(), reason);
    ++operation.ticket;
    --live_;
    free_.push_back(slot);
  }

  // ---- The server ----

  // Draws for an attempt that its operation has given up come from elsewhere.
  bool is_current(const Event& event) const {
    return operations_[event.subject].ticket == event.ticket;
  }

  void arrive(const Event& event) {
    result_.measures.arrived(queue_.now(), event.first);
    Random& fate = is_current(event) ? decisions_[event.subject].fate : stray_;
    const Service::Answer answer = service_.arrive(queue_.now(), fate);
    if (answer.status == 0) return;
    result_.measures.waiting(queue_.now(), ++serving_);
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(answer.retry_after).count();
    const Event leaves{event.subject,
                       event.ticket,
                       static_cast<std::uint32_t>(seconds),
                       static_cast<std::uint16_t>(answer.status),
                       Kind::leave,
                       event.first};
    if (answer.after > Duration(0)) return queue_.after(answer.after, leaves);
    leave(leaves);
  }

  void leave(const Event& event) {
    service_.leave(queue_.now());
    --serving_;
    if (event.status >= 200 && event.status < 300) result_.measures.served(queue_.now());
    Random& network = is_current(event) ? operations_[event.subject].network : stray_;
    Event answer = event;
    answer.kind = Kind::answer;
    if (const auto way = draw_way(fleet_.network, network)) queue_.after(*way, answer);
  }

  void note(Kind kind, std::uint32_t client, std::uint64_t number) {
    if (fleet_.log != nullptr) fleet_.log->add(queue_.now(), client, word(kind), number);
  }

  void handle(const Event& event) {
    const bool begins = event.kind == Kind::begin;
    if (event.kind != Kind::timeout) {  // most of them are void
      note(event.kind, begins ? event.subject : operations_[event.subject].client, event.status);
    }
    switch (event.kind) {
      case Kind::begin:
        return begin_operation(event.subject);
      case Kind::arrive:
        return arrive(event);
      case Kind::leave:
        return leave(event);
      case Kind::answer:
        return settle(event, answers_.of(event.status, event.retry_after_seconds));
      case Kind::timeout:
        return timer(event.subject);
      case Kind::wake:
        return ask(event.subject, nullptr);
    }
  }

  Fleet fleet_;
  Service& service_;
  Policy policy_once_;
  Random stray_;
  Outcome timeout_;
  Answers answers_;
  MonotoneQueue<Event> queue_;
  std::vector<Operation> operations_;  // by slot
  std::vector<Decision> decisions_;    // by slot
  std::vector<std::uint32_t> free_;
  std::vector<Random> arrivals_;                 // by client
  std::vector<std::uint32_t> operations_begun_;  // by client; empty: one each
  std::vector<Shared> guards_;                   // by client; empty: none
  std::vector<Lifetime> lifetimes_;              // by client; empty: not asked for
  std::uint64_t even_ = 0;
  std::uint64_t live_ = 0;  // operations under way, and clients that will begin another
  std::uint64_t serving_ = 0;
  FleetResult result_;
};

}  // namespace

FleetResult run_fleet(const Fleet& fleet, Service& service) {
  return Model(fleet, service).run();
}

}  // namespace retrylab::sim
