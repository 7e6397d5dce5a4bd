// SPDX-License-Identifier: MIT
// Clients whose waits between attempts have the wrong shape.
#include <algorithm>

#include "tests/zoo/wrong_client.h"

namespace retrylab::zoo {
namespace {

using namespace std::chrono_literals;
using Backoff = std::function<Duration(const Progress&, Random&)>;

auto backs_off(std::function<Duration(const Progress&, Random&, const Backoff& right)> wrong) {
  return [wrong](Habits& habits) {
    habits.backoff = [wrong, right = habits.backoff](const Progress& progress, Random& random) {
      return wrong(progress, random, right);
    };
  };
}

std::string backoff(const std::string& base, const std::string& cap, const std::string& jitter) {
  return R"("backoff": {"base": ")" + base + R"(", "factor": 2, "cap": ")" + cap +
         R"(", "jitter": ")" + jitter + R"("},)";
}

const std::string kEqual = backoff("1s", "4s", "equal");

}  // namespace

std::vector<WrongClient> wrong_backoff() {
  return {
      {.name = "knows-no-cap",
       .mistake = "doubles for ever",
       .rule = "BO-1",
       .stage = {.script = R"([{"status": 503, "times": 6}, 200])",
                 .expect = R"("attempts": {"max": 7}, "total_time": {"max": "5m"},)" +
                           backoff("1s", "4s", "equal")},
       .change = [](Habits& h) { h.policy.cap = 1h; },
       .jitter = scenario::Jitter::equal},
      {.name = "backs-off-not-at-all",
       .mistake = "retries in a tight loop",
       .rule = "BO-3",
       .stage = {.script = R"([{"status": 503, "times": 3}, 200])", .expect = kEqual},
       .change = backs_off([](const Progress&, Random&, const Backoff&) { return Duration{0}; }),
       .jitter = scenario::Jitter::equal},
      {.name = "retries-first-at-once",
       .mistake = "waits only before the second retry and later ones",
       .rule = "BO-3",
       .stage = {.script = R"([{"status": 503, "times": 3}, 200])", .expect = kEqual},
       .change = backs_off([](const Progress& p, Random& random, const Backoff& right) {
         const Duration wait = right(p, random);
         return p.sent == 1 ? Duration{0} : wait;
       }),
       .jitter = scenario::Jitter::equal},
  };
}

}  // namespace retrylab::zoo
