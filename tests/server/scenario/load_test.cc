// SPDX-License-Identifier: MIT
#include "server/scenario/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/catalogue.h"

namespace retrylab::scenario {
namespace {

TEST(Catalogue, every_scenario_loads_without_mistakes) {
  for (const CatalogueEntry& entry : catalogue()) {
    SCOPED_TRACE(entry.name);
    const auto loaded = load(entry.text, nullptr);
    if (!loaded) {
      for (const Mistake& mistake : loaded.error()) ADD_FAILURE() << describe(entry.name, mistake);
      continue;
    }
    EXPECT_EQ(loaded->name, entry.name);
    EXPECT_FALSE(loaded->about.empty());
  }
}

}  // namespace
}  // namespace retrylab::scenario
