// SPDX-License-Identifier: MIT
// The error rates of BO-6 by simulation: for each kind of jitter and each number of waits, how
// often the choice is right and how often it is wrong, in percent; the rest is undecided.
//
//   jitter_table [TRIALS]
//
// Base 0.2 s, cap 3.2 s, four retries per operation, 0.1 to 0.5 ms of noise, and 2% of waits late
// by 2 to 8 ms more.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "client_lib/base/random.h"
#include "server/verify/statistics/backoff_model.h"

namespace retrylab::verify::statistics {
namespace {

using namespace std::chrono_literals;

constexpr Duration kBase = 200ms;
constexpr Duration kCap = 3200ms;
constexpr std::array kSizes{4, 8, 12, 16, 24, 32, 48, 80};

Duration between(Random& random, Duration top, int low, int high) {
  return random.between(top * low / 100, top * high / 100);
}

Duration draw(JitterKind kind, Duration top, Duration previous, Random& random) {
  switch (kind) {
    case JitterKind::none:
      return top;
    case JitterKind::full:
      return between(random, top, 0, 100);
    case JitterKind::equal:
      return between(random, top, 50, 100);
    case JitterKind::decorrelated:
      return std::min(kCap, random.between(kBase, std::max(kBase, 3 * previous)));
    case JitterKind::within_20_percent:
      return between(random, top, 80, 120);
    case JitterKind::within_25_percent:
      return between(random, top, 75, 125);
    case JitterKind::within_50_percent:
      return between(random, top, 50, 150);
    case JitterKind::three_quarters_up:
      return between(random, top, 75, 100);
    case JitterKind::added:
      return top + random.between(0ms, kBase);
  }
  return top;
}

std::vector<Wait> waits_of(JitterKind kind, int count, Random& random) {
  std::vector<Wait> waits;
  Duration previous = kBase;
  for (int i = 0; i < count; ++i) {
    const int retry = i % 4;
    if (retry == 0) previous = kBase;
    const Duration top = std::min(kCap, kBase * (1 << retry));
    const Duration wait = draw(kind, top, previous, random);
    Duration noise = random.between(100us, 500us);
    if (random.chance({2, 100})) noise += random.between(2ms, 8ms);
    waits.push_back({.time = wait + noise, .ceiling = top, .previous = previous});
    previous = wait;
  }
  return waits;
}

struct Shares {
  double right = 0;
  double wrong = 0;
};

Shares measure(JitterKind kind, int count, int trials) {
  Shares shares;
  for (int trial = 0; trial < trials; ++trial) {
    Random random = Random::stream(static_cast<std::uint64_t>(count), word(kind),
                                   static_cast<std::uint64_t>(trial));
    const ModelChoice choice = choose_model(waits_of(kind, count, random), kBase, kCap);
    if (!choice.is_decided) continue;
    (choice.best == kind ? shares.right : shares.wrong) += 100.0 / trials;
  }
  return shares;
}

void print_table(int trials) {
  fmt::print("| true \\ waits |");
  for (const int size : kSizes) fmt::print(" {} |", size);
  fmt::print("\n|---|---|---|---|---|---|---|---|---|\n");
  for (const JitterKind kind : kJitterKinds) {
    fmt::print("| {} |", word(kind));
    for (const int size : kSizes) {
      const Shares shares = measure(kind, size, trials);
      fmt::print(" {:.4g}/{:.2g} |", shares.right, shares.wrong);
    }
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace retrylab::verify::statistics

int main(int argc, char** argv) {
  retrylab::verify::statistics::print_table(argc > 1 ? std::stoi(argv[1]) : 20'000);
  return 0;
}
