// SPDX-License-Identifier: MIT
#include "tests/zoo/server_wish.h"

#include <gtest/gtest.h>

#include "client_lib/retry/retry_after.h"

namespace retrylab::zoo {
namespace {

using namespace std::chrono;

const WallTime kNow = sys_days(year(2026) / 11 / 30) + hours(12);

// The zoo's reading and the library's were written apart: they have to agree.
TEST(ServerWish, agrees_with_the_library_on_every_form) {
  for (const std::string value : {"0",
                                  "120",
                                  "00120",
                                  "2147484",
                                  "99999999999999999999999",
                                  "Mon, 30 Nov 2026 12:00:05 GMT",
                                  "Monday, 30-Nov-26 12:00:05 GMT",
                                  "Mon Nov 30 12:00:05 2026",
                                  "Tue Dec  1 12:00:00 2026",
                                  "Sunday, 06-Nov-94 08:49:37 GMT",
                                  "Sunday, 06-Nov-77 08:49:37 GMT",
                                  "Friday, 06-Nov-76 08:49:37 GMT",
                                  "-1",
                                  "+1",
                                  "1.5",
                                  "1e3",
                                  "0x10",
                                  "",
                                  "soon",
                                  "12;x",
                                  "1, 2",
                                  "1m0s",
                                  "12 s",
                                  "Mon, 30 Nov 2026 12:00:05 gmt",
                                  "Tue, 30 Nov 2026 12:00:05 GMT",
                                  "Mon, 31 Nov 2026 12:00:05 GMT",
                                  "Fri, 31 Dec 9999 23:59:59 GMT"}) {
    const RetryAfter right = parse_retry_after(value, kNow);
    const auto own = asked_wait({{"Retry-After", value}}, kNow);
    ASSERT_EQ(own.has_value(), right.valid()) << value;
    if (own && *own != kForever) {
      EXPECT_EQ(*own, right.wait) << value;
    }
  }
}

TEST(ServerWish, two_lines_ask_for_nothing) {
  EXPECT_EQ(asked_wait({{"Retry-After", "1"}, {"retry-after", "1"}}, kNow), std::nullopt);
}

}  // namespace
}  // namespace retrylab::zoo
