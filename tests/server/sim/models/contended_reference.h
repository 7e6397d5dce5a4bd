// SPDX-License-Identifier: MIT
// Means and standard errors of 10,000 trials per cell of the contended-clients model, by an
// independent program that agrees with the original one.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace retrylab::sim {

struct ContendedReference {
  std::uint32_t clients;
  std::string_view strategy;
  double time_ms;
  double time_ms_error;
  double calls;
  double calls_error;
};

inline constexpr std::array<ContendedReference, 20> kContendedReference{{
    {10, "None", 380.07, 0.34, 50.878, 0.041},
    {10, "Exponential", 3460.27, 13.10, 50.782, 0.042},
    {10, "EqualJitter", 724.25, 1.83, 42.452, 0.026},
    {10, "FullJitter", 464.98, 1.05, 39.052, 0.022},
    {10, "Decorr", 436.38, 0.86, 37.684, 0.023},
    {20, "None", 602.52, 0.54, 152.253, 0.123},
    {20, "Exponential", 14459.48, 28.15, 150.054, 0.137},
    {20, "EqualJitter", 1633.31, 4.60, 108.109, 0.041},
    {20, "FullJitter", 1006.75, 2.72, 100.157, 0.035},
    {20, "Decorr", 817.02, 1.78, 101.040, 0.048},
    {50, "None", 1140.05, 0.43, 689.832, 0.173},
    {50, "Exponential", 36404.80, 32.39, 623.724, 0.290},
    {50, "EqualJitter", 4246.12, 5.63, 347.231, 0.061},
    {50, "FullJitter", 2883.70, 5.47, 332.546, 0.049},
    {50, "Decorr", 2209.09, 5.01, 374.761, 0.127},
    {100, "None", 2029.13, 0.44, 2422.814, 0.320},
    {100, "Exponential", 63464.31, 37.65, 1855.376, 0.590},
    {100, "EqualJitter", 6605.08, 6.56, 812.283, 0.078},
    {100, "FullJitter", 4914.44, 5.41, 795.881, 0.069},
    {100, "Decorr", 4593.74, 6.84, 1002.240, 0.287},
}};

}  // namespace retrylab::sim
