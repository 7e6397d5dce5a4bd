// SPDX-License-Identifier: MIT
// The other tables of RULES.md by simulation: BO-7 (how far uniform waits lie from the uniform law,
// and how often others are found) and B6 (how many of N clients chance puts into one stretch).
//
//   spread_table [TRIALS]
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "client_lib/base/random.h"
#include "server/verify/statistics/statistics.h"

namespace retrylab::verify::statistics {
namespace {

constexpr std::array kSizes{10, 20, 30, 50, 100, 200};

double unit(Random& random) {
  return static_cast<double>(random.next() >> 11U) * 0x1p-53;
}

using Draw = std::function<double(Random&)>;

std::vector<double> drawn(const Draw& draw, int count, Random& random) {
  std::vector<double> samples;
  for (int i = 0; i < count; ++i) samples.push_back(draw(random));
  return samples;
}

double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

void print_heading(std::string_view first) {
  fmt::print("| {} |", first);
  for (const int size : kSizes) fmt::print(" {} |", size);
  fmt::print("\n|---|---|---|---|---|---|---|\n");
}

// The distance that uniform waits exceed that rarely.
void print_distances(int trials) {
  print_heading("exceeded by chance \\ waits");
  std::vector<std::vector<double>> distances;
  for (const int size : kSizes) {
    Random random = Random::stream(1, "distance", static_cast<std::uint64_t>(size));
    std::vector<double>& all = distances.emplace_back();
    for (int i = 0; i < trials; ++i) {
      all.push_back(against_uniform(drawn(unit, size, random)).distance);
    }
  }
  for (const double share : {0.01, 0.001}) {
    fmt::print("| {}% |", share * 100);
    for (const auto& all : distances) fmt::print(" {:.3f} |", quantile(all, 1 - share));
    fmt::print("\n");
  }
}

// How often waits of another shape are found, in percent: at 1%, and at what the rule decides by.
void print_power(int trials) {
  const std::vector<std::pair<std::string_view, Draw>> shapes{
      {"uniform (false alarms)", unit},
      {"equal jitter", [](Random& random) { return 0.5 + unit(random) / 2; }},
      {"lower half only", [](Random& random) { return unit(random) / 2; }},
      {"Beta(2, 2): the middle",
       [](Random& random) {
         std::array<double, 3> three{unit(random), unit(random), unit(random)};
         std::ranges::sort(three);
         return three[1];
       }},
      {"arcsine: the ends",
       [](Random& random) {
         const double sine = std::sin(std::numbers::pi * unit(random) / 2);
         return sine * sine;
       }},
      {"uniform, 0.5 ms late of 50 ms",
       [](Random& random) { return std::min(1.0, unit(random) + 0.01); }},
  };
  print_heading("found at 1% / at 0.01% \\ waits");
  for (const auto& [name, draw] : shapes) {
    fmt::print("| {} |", name);
    for (const int size : kSizes) {
      Random random = Random::stream(2, name, static_cast<std::uint64_t>(size));
      int usual = 0;
      int strict = 0;
      for (int i = 0; i < trials; ++i) {
        const double p = against_uniform(drawn(draw, size, random)).p_value;
        usual += p < 0.01 ? 1 : 0;
        strict += p < kAlpha ? 1 : 0;
      }
      fmt::print(" {:.4g} / {:.3g} |", 100.0 * usual / trials, 100.0 * strict / trials);
    }
    fmt::print("\n");
  }
}

// The 99.9% quantile of the most in any stretch, beside what HERD-1 allows.
void print_crowds(int trials) {
  constexpr std::array kShares{0.02, 0.05, 0.10};
  fmt::print("| clients | 2% of the range | 5% | 10% |\n|---|---|---|---|\n");
  for (const int clients : {20, 50, 100, 200, 500, 1000, 5000}) {
    fmt::print("| {} |", clients);
    for (const double share : kShares) {
      Random random = Random::stream(3, "crowd", static_cast<std::uint64_t>(clients));
      std::vector<double> most;
      for (int i = 0; i < trials; ++i) {
        most.push_back(static_cast<double>(densest_window(drawn(unit, clients, random), share)));
      }
      fmt::print(" {} (allowed {}) |", quantile(most, 0.999),
                 densest_by_chance(static_cast<std::size_t>(clients), share));
    }
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace retrylab::verify::statistics

int main(int argc, char** argv) {
  const int trials = argc > 1 ? std::stoi(argv[1]) : 20'000;
  fmt::print("BO-7\n\n");
  retrylab::verify::statistics::print_distances(trials);
  fmt::print("\n");
  retrylab::verify::statistics::print_power(trials);
  fmt::print("\nB6\n\n");
  retrylab::verify::statistics::print_crowds(std::min(trials, 4'000));
  return 0;
}
