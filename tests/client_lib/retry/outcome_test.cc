// SPDX-License-Identifier: MIT
#include "client_lib/retry/outcome.h"

#include <gtest/gtest.h>

namespace retrylab {
namespace {

TEST(Outcome, each_failure_has_its_word_and_its_certainty) {
  const struct {
    Failure failure;
    std::string_view word;
    bool surely_not_executed;
  } rows[] = {
      {Failure::none, "none", false},
      {Failure::invalid_request, "invalid_request", true},
      {Failure::name_resolution, "name_resolution", true},
      {Failure::refused, "refused", true},
      {Failure::connect_timeout, "connect_timeout", true},
      {Failure::reset, "reset", false},
      {Failure::closed, "closed", false},
      {Failure::truncated, "truncated", false},
      {Failure::malformed, "malformed", false},
      {Failure::too_large, "too_large", false},
      {Failure::timeout, "timeout", false},
      {Failure::tls, "tls", true},
      {Failure::cancelled, "cancelled", false},
      {Failure::transport, "transport", false},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(word(row.failure), row.word);
    EXPECT_EQ(surely_not_executed(row.failure), row.surely_not_executed) << row.word;
  }
}

}  // namespace
}  // namespace retrylab
