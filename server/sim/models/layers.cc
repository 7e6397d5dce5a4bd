// SPDX-License-Identifier: MIT
#include "server/sim/models/layers.h"

#include <optional>

#include "client_lib/retry/next_move.h"

namespace retrylab::sim {
namespace {

class Model {
 public:
  explicit Model(const Layers& model)
      : model_(model), fate_(Random::stream(model.seed, "failure")) {
    good_.response.status = 200;
    bad_.response.status = 503;
    for (const Policy& policy : model_.policies) {
      Layer& layer = layers_.emplace_back(Random::stream(model.seed, "jitter", layers_.size()));
      if (policy.budget) layer.budget.emplace(*policy.budget);
      if (policy.breaker) layer.breaker.emplace(*policy.breaker);
    }
    result_.attempts.resize(layers_.size());
  }

  LayersResult run() {
    for (std::uint64_t i = 0; i < model_.operations; ++i) {
      if (call(0)) ++result_.successes;
    }
    return result_;
  }

 private:
  struct Layer {
    explicit Layer(Random stream) : jitter(stream) {}
    Random jitter;
    std::optional<Budget> budget;
    std::optional<Breaker> breaker;
  };

  // One operation of a layer: true when it succeeded. Depth is the number of layers.
  bool call(std::size_t depth) {
    if (depth == layers_.size()) return !fate_.chance(model_.failure);
    Progress progress = begin({});
    const Outcome* outcome = nullptr;
    while (true) {
      Layer& layer = layers_[depth];
      const Guards guards{layer.budget ? &*layer.budget : nullptr,
                          layer.breaker ? &*layer.breaker : nullptr};
      const Move move =
          next_move(model_.policies[depth], progress, outcome, {{now_, {}}, layer.jitter, guards});
      if (const auto* finish = std::get_if<Finish>(&move)) {
        return finish->reason == Reason::succeeded;
      }
      outcome = nullptr;
      if (const auto* wait = std::get_if<WaitUntil>(&move)) {
        now_ = wait->at;
      } else {
        ++result_.attempts[depth];
        outcome = call(depth + 1) ? &good_ : &bad_;
      }
    }
  }

  Layers model_;
  Random fate_;
  Outcome good_;
  Outcome bad_;
  std::vector<Layer> layers_;
  Instant now_;
  LayersResult result_;
};

}  // namespace

LayersResult run_layers(const Layers& model) {
  return Model(model).run();
}

}  // namespace retrylab::sim
