// SPDX-License-Identifier: MIT
// The contended-clients model against the reference's means: every cell, both quantities.
#include "server/sim/models/contended.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/server/sim/models/contended_reference.h"
#include "tests/server/sim/models/sample.h"

namespace retrylab::sim {
namespace {

Backoff backoff_of(std::string_view strategy) {
  const auto all = contended_strategies();
  return std::ranges::find(all, strategy, &Strategy::name)->backoff;
}

using ContendedCell = ::testing::TestWithParam<ContendedReference>;

// Few trials, since this runs in debug builds too; scripts/reproduce makes 10,000 of each.
TEST_P(ContendedCell, lies_within_four_standard_errors) {
  const ContendedReference& reference = GetParam();
  const Backoff backoff = backoff_of(reference.strategy);
  Sample time_ms;
  Sample calls;
  const std::uint64_t trials = 2000 / reference.clients;
  for (std::uint64_t seed = 1; seed <= trials; ++seed) {
    const ContendedResult result =
        run_contended({.clients = reference.clients, .backoff = backoff, .seed = seed});
    time_ms.add(static_cast<double>(result.time.count()) / 1e6);
    calls.add(static_cast<double>(result.calls));
  }
  EXPECT_LT(std::abs(deviation_in_errors(time_ms.mean(), time_ms.error(), reference.time_ms,
                                         reference.time_ms_error)),
            4)
      << "time " << time_ms.mean() << " ms";
  EXPECT_LT(std::abs(deviation_in_errors(calls.mean(), calls.error(), reference.calls,
                                         reference.calls_error)),
            4)
      << "calls " << calls.mean();
}

std::string name_of(const ::testing::TestParamInfo<ContendedReference>& cell) {
  return std::string(cell.param.strategy) + std::to_string(cell.param.clients);
}

INSTANTIATE_TEST_SUITE_P(All, ContendedCell, ::testing::ValuesIn(kContendedReference), name_of);

TEST(Contended, every_client_writes_once_with_success) {
  for (const Strategy& strategy : contended_strategies()) {
    EventLog log;
    const ContendedResult result =
        run_contended({.clients = 7, .backoff = strategy.backoff, .seed = 3, .log = &log});
    std::size_t done = 0;
    for (std::size_t at = log.text().find(" done "); at != std::string::npos;
         at = log.text().find(" done ", at + 1)) {
      ++done;
    }
    EXPECT_EQ(done, 7U) << strategy.name;
    EXPECT_GE(result.calls, 7U);
  }
}

TEST(Contended, one_client_is_never_in_anybodys_way) {
  const ContendedResult result =
      run_contended({.clients = 1, .backoff = contended_strategies()[1].backoff, .seed = 1});
  EXPECT_EQ(result.calls, 1U);
  EXPECT_EQ(result.events, 4U);
}

}  // namespace
}  // namespace retrylab::sim
