// SPDX-License-Identifier: MIT
#include "server/sim/models/contended.h"

#include "client_lib/base/check.h"
#include "client_lib/retry/next_move.h"
#include "server/sim/draws.h"
#include "server/sim/monotone_queue.h"

namespace retrylab::sim {
namespace {

constexpr Duration kHop = std::chrono::milliseconds(10);
constexpr Duration kHopDeviation = std::chrono::milliseconds(2);
constexpr Duration kBin = std::chrono::milliseconds(10);

enum class Kind : std::uint8_t { read, version, write, done, conflict };

struct Event {
  std::uint32_t client;
  std::uint32_t version;
  Kind kind;
};

struct Client {
  Random network;
  Random jitter;
  Progress progress;
};

Policy policy_with(const Backoff& backoff) {
  Policy policy;
  policy.attempts = UINT32_MAX;
  policy.deadline = kForever;
  policy.attempt_timeout = kForever;
  policy.backoff = backoff;
  policy.methods = {"*"};
  policy.statuses = {503};
  return policy;
}

class Model {
 public:
  explicit Model(const Contended& model) : model_(model), policy_(policy_with(model.backoff)) {
    conflict_.response.status = 503;
    clients_.reserve(model.clients);
    for (std::uint32_t i = 0; i < model.clients; ++i) {
      clients_.push_back({Random::stream(model.seed, "network", i),
                          Random::stream(model.seed, "jitter", i), begin({})});
      next_move(policy_, clients_.back().progress, nullptr, context(clients_.back(), Instant()));
      send(i, Kind::read, 0);
    }
  }

  ContendedResult run() {
    while (!queue_.empty()) {
      const Event event = queue_.take();
      ++result_.events;
      handle(event);
    }
    result_.time = queue_.now().time_since_epoch();
    return result_;
  }

 private:
  static Context context(Client& client, Instant now) {
    return {.now = {now, {}}, .random = client.jitter, .guards = {}};
  }

  Duration hop(Client& client) { return draw_normal(kHop, kHopDeviation, client.network); }

  void send(std::uint32_t client, Kind kind, std::uint32_t version) {
    queue_.after(hop(clients_[client]), {client, version, kind});
  }

  void note(const Event& event, std::string_view what) {
    if (model_.log != nullptr) model_.log->add(queue_.now(), event.client, what, event.version);
  }

  void count_arrival() {
    const auto bin = static_cast<std::size_t>(queue_.now().time_since_epoch() / kBin);
    if (bin >= result_.arrivals.size()) result_.arrivals.resize(bin + 1);
    ++result_.arrivals[bin];
  }

  void handle(const Event& event) {
    switch (event.kind) {
      case Kind::read:
        note(event, "read");
        return send(event.client, Kind::version, version_);
      case Kind::version:
        note(event, "version");
        return send(event.client, Kind::write, event.version);
      case Kind::write:
        note(event, "write");
        count_arrival();
        return write(event);
      case Kind::done:
        return note(event, "done");
      case Kind::conflict:
        note(event, "conflict");
        return try_again(event.client);
    }
  }

  void write(const Event& event) {
    ++result_.calls;
    const bool current = event.version == version_;
    if (current) ++version_;
    send(event.client, current ? Kind::done : Kind::conflict, event.version);
  }

  // The hop to the server and the backoff in one event, as the article's program has it.
  void try_again(std::uint32_t number) {
    Client& client = clients_[number];
    const Move move =
        next_move(policy_, client.progress, &conflict_, context(client, queue_.now()));
    const auto* wait = std::get_if<WaitUntil>(&move);
    CHECK(wait != nullptr);
    next_move(policy_, client.progress, nullptr, context(client, wait->at));
    queue_.at(wait->at + hop(client), {number, 0, Kind::read});
  }

  Contended model_;
  Policy policy_;
  Outcome conflict_;
  MonotoneQueue<Event> queue_;
  std::vector<Client> clients_;
  std::uint32_t version_ = 0;
  ContendedResult result_;
};

}  // namespace

ContendedResult run_contended(const Contended& model) {
  return Model(model).run();
}

std::array<Strategy, 5> contended_strategies() {
  const Backoff exponential{.base = std::chrono::milliseconds(5),
                            .cap = std::chrono::seconds(2),
                            .first_ceiling_doubled = true,
                            .jitter = Jitter::none};
  Backoff none = exponential;
  none.base = none.cap = Duration(0);
  Backoff equal = exponential;
  equal.jitter = Jitter::equal;
  Backoff full = exponential;
  full.jitter = Jitter::full;
  Backoff decorrelated = exponential;
  decorrelated.jitter = Jitter::decorrelated;
  return {{{"None", none},
           {"Exponential", exponential},
           {"EqualJitter", equal},
           {"FullJitter", full},
           {"Decorr", decorrelated}}};
}

}  // namespace retrylab::sim
