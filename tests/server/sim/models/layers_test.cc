// SPDX-License-Identifier: MIT
#include "server/sim/models/layers.h"

#include <gtest/gtest.h>

#include "tests/server/sim/models/known_models.h"

namespace retrylab::sim {
namespace {

std::uint64_t power(std::uint64_t base, std::size_t exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

TEST(Layers, attempts_multiply) {
  for (std::uint32_t attempts = 1; attempts <= 4; ++attempts) {
    for (std::size_t layers = 1; layers <= 4; ++layers) {
      const LayersResult result =
          run_layers({.policies = std::vector<Policy>(layers, immediate_retries(attempts))});
      for (std::size_t depth = 0; depth < layers; ++depth) {
        EXPECT_EQ(result.attempts[depth], power(attempts, depth + 1)) << attempts << ", " << layers;
      }
      EXPECT_EQ(result.successes, 0U);
    }
  }
}

// Every layer's budget adds a tenth: 1.1^3 in the long run instead of 64.
TEST(Layers, budgets_bound_the_product) {
  Policy policy = immediate_retries(4);
  policy.budget = tenth_bucket();
  const LayersResult result =
      run_layers({.policies = {policy, policy, policy}, .operations = 10'000});
  EXPECT_LE(result.attempts[0], 11'004U);
  EXPECT_LE(result.attempts[1], 11'004U * 11 / 10 + 5);
  EXPECT_LE(result.attempts[2], (11'004U * 11 / 10 + 5) * 11 / 10 + 5);
}

TEST(Layers, one_layer_that_retries_adds_no_product) {
  const LayersResult result =
      run_layers({.policies = {immediate_retries(1), immediate_retries(1), immediate_retries(4)},
                  .operations = 10});
  EXPECT_EQ(result.attempts, (std::vector<std::uint64_t>{10, 10, 40}));
}

TEST(Layers, a_healthy_bottom_is_called_once) {
  const LayersResult result = run_layers({.policies = std::vector<Policy>(3, immediate_retries(4)),
                                          .operations = 10,
                                          .failure = {0, 1}});
  EXPECT_EQ(result.attempts, (std::vector<std::uint64_t>{10, 10, 10}));
  EXPECT_EQ(result.successes, 10U);
}

}  // namespace
}  // namespace retrylab::sim
