// SPDX-License-Identifier: MIT
#include "client_lib/retry/idempotency_key.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace retrylab {
namespace {

TEST(IdempotencyKey, a_uuid_has_its_version_and_variant) {
  std::array<std::uint8_t, 16> bytes{};
  EXPECT_EQ(uuid_v4(bytes), "00000000-0000-4000-8000-000000000000");
  bytes.fill(0xff);
  EXPECT_EQ(uuid_v4(bytes), "ffffffff-ffff-4fff-bfff-ffffffffffff");
  for (std::uint8_t i = 0; i < 16; ++i) bytes.at(i) = i;
  EXPECT_EQ(uuid_v4(bytes), "00010203-0405-4607-8809-0a0b0c0d0e0f");
}

TEST(IdempotencyKey, the_quoted_form_is_a_structured_field_string) {
  EXPECT_EQ(quoted_key("8e03978e"), "\"8e03978e\"");
  EXPECT_EQ(quoted_key("a\"b\\c"), R"("a\"b\\c")");
}

}  // namespace
}  // namespace retrylab
