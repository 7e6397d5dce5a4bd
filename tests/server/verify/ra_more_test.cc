// SPDX-License-Identifier: MIT
// The rest of the rules about Retry-After: RA-9 to RA-14.
#include <gtest/gtest.h>

#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;
using scenario::Jitter;

// So many clients of one run, all told the same at one instant; the i-th comes after wait(i).
auto herd(int clients, const std::string& retry_after, std::function<Duration(int)> wait) {
  return [=](Stage& s) {
    s.run.herd(static_cast<std::uint32_t>(clients));
    for (int i = 0; i < clients; ++i) {
      const auto listener = static_cast<std::uint32_t>(i);
      s.run.get(Duration(i)).answered(503).retry_after(retry_after).listener(listener);
      s.run.get(1ms + wait(i)).listener(listener);
    }
  };
}

TEST(Ra9, zero_is_no_reason_to_come_at_one_instant) {
  expect_rows("RA-9",
              {
                  {"spread", herd(12, "0", [](int i) { return 10ms * (i + 1); }), Status::pass},
                  {"all at once", herd(12, "0", [](int) { return 1ms; }), Status::advice},
                  {"all after a second", herd(12, "0", [](int) { return 1s; }), Status::advice},
                  {"too few", herd(5, "0", [](int) { return 1ms; }), Status::not_applicable},
              });
}

TEST(Ra10, a_redirect_is_followed_no_earlier_than_asked) {
  const auto followed = [](Duration wait) {
    return [=](Stage& s) {
      s.run.post(0ms).answered(303).location("/poll").retry_after("3");
      s.run.get(1ms + wait, "/poll");
    };
  };
  expect_rows("RA-10", {
                           {"in time", followed(3s), Status::pass},
                           {"at once", followed(1ms), Status::fail},
                       });
}

TEST(Ra11, retry_after_comes_before_ratelimit) {
  const auto told = [](Duration wait) {
    return [=](Stage& s) {
      s.run.get(0ms).answered(429).retry_after("1").hint("RateLimit", "\"default\";r=0;t=5");
      s.run.get(1ms + wait);
    };
  };
  expect_rows("RA-11", {
                           {"waits a second", told(1s), Status::pass},
                           {"waits for the reset", told(5s), Status::advice},
                       });
}

TEST(Ra12, retry_after_does_not_lift_the_limit) {
  const auto limited = [](int attempts, Duration wait = 1100ms) {
    return [=](Stage& s) {
      s.expect.attempts = scenario::CountRange{.max = 3};
      for (int i = 0; i < attempts; ++i) {
        s.run.get(wait * i).answered(503).retry_after("1");
      }
    };
  };
  // The third comes early, is refused for it, and the fourth would have been right.
  const auto early_once = [](Stage& s) {
    s.expect.attempts = scenario::CountRange{.max = 3};
    for (const Duration at : {0ms, 1100ms, 1600ms, 2700ms}) {
      s.run.get(at).answered(503).retry_after("1");
    }
  };
  expect_rows(
      "RA-12",
      {
          {"as many as there are", limited(3), Status::pass},
          {"one too many", limited(4), Status::fail, "attempts"},
          {"early, asked or not", limited(4, 500ms), Status::not_applicable, "RA-1 attempts"},
          {"one of them early", early_once, Status::not_applicable, "RA-1 attempts"},
      });
}

TEST(Ra13, a_profiles_own_hint_is_kept) {
  const auto hinted = [](const std::string& profile, const std::string& name,
                         const std::string& value, Duration wait) {
    return [=](Stage& s) {
      s.expect.profile = profile;
      s.run.get(0ms).answered(503).hint(name, value);
      s.run.get(1ms + wait);
    };
  };
  expect_rows(
      "RA-13",
      {
          {"waits", hinted("openai", "retry-after-ms", "1500", 1500ms), Status::pass},
          {"does not", hinted("openai", "retry-after-ms", "1500", 400ms), Status::fail},
          {"pushback", hinted("grpc", "grpc-retry-pushback-ms", "700", 700ms), Status::pass},
          {"negative pushback forbids", hinted("grpc", "grpc-retry-pushback-ms", "-1", 1s),
           Status::fail},
          {"rubbish forbids", hinted("grpc", "grpc-retry-pushback-ms", "x", 1s), Status::fail},
          {"aws adds at most five seconds",
           hinted("aws-standard-2.1", "x-amz-retry-after", "60000", 5s), Status::pass},
          {"less is too early", hinted("aws-standard-2.1", "x-amz-retry-after", "60000", 4s),
           Status::fail},
          {"careful does not read it", hinted("careful", "retry-after-ms", "1500", 400ms),
           Status::not_applicable},
      });
}

TEST(Ra14, after_a_common_wait_clients_spread) {
  const auto declared = [](std::function<Duration(int)> wait) {
    return [=](Stage& s) {
      s.backoff(1s, 8s, Jitter::full);
      herd(40, "2", wait)(s);
    };
  };
  expect_rows(
      "RA-14",
      {
          {"spread", declared([](int i) { return 2s + 25ms * i; }), Status::pass},
          {"at one instant", declared([](int i) { return 2s + 1ms * (i % 9); }), Status::advice},
          {"too few", herd(10, "2", [](int) { return 2s; }), Status::not_applicable},
      });
}

}  // namespace
}  // namespace retrylab::verify
