// SPDX-License-Identifier: MIT
#include "tests/zoo/table.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace retrylab::zoo {
namespace {

TEST(Table, of_the_documentation_is_up_to_date) {
  std::ifstream file(RETRYLAB_ZOO_PAGE);
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_TRUE(page.str() == table_page()) << "build/dev/zoo_table > docs/zoo.md";
}

}  // namespace
}  // namespace retrylab::zoo
