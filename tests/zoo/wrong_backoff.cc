// SPDX-License-Identifier: MIT
#include "tests/zoo/wrong_backoff.h"

#include <fmt/format.h>

namespace retrylab::zoo {

std::function<void(Habits&)> backs_off(
    std::function<Duration(const Progress&, Random&, const Backoff& right)> wrong) {
  return [wrong](Habits& habits) {
    habits.backoff = [wrong, right = habits.backoff](const Progress& progress, Random& random) {
      return wrong(progress, random, right);
    };
  };
}

std::function<void(Habits&)> takes_between(std::int64_t low, std::int64_t high) {
  return backs_off([low, high](const Progress& p, Random& random, const Backoff&) {
    const Duration top = ceiling(p.policy, p.sent);
    return random.between(top * low / 1000, top * high / 1000);
  });
}

std::string fails(int times) {
  return fmt::format(R"([{{"status": 503, "times": {}}}, 200])", times);
}

std::string attempts(int count) {
  return fmt::format(R"("attempts": {{"max": {}}}, "total_time": {{"max": "1h"}},)", count);
}

std::string declares(const std::string& base, const std::string& cap, const std::string& jitter) {
  return fmt::format(R"("backoff": {{"base": "{}", "factor": 2, "cap": "{}", "jitter": "{}"}},)",
                     base, cap, jitter);
}

}  // namespace retrylab::zoo
