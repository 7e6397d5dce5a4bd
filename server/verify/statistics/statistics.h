// SPDX-License-Identifier: MIT
// The probabilities that rules decide by. Doubles: nothing here is hashed or replayed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace retrylab::verify::statistics {

// Rules decide with a probability of error of at most that much each, so that forty of them give
// fewer than one false alarm in two hundred runs.
inline constexpr double kAlpha = 1e-4;

// P(X >= count) for X ~ Binomial(trials, share).
double binomial_tail(std::size_t trials, std::size_t count, double share);

// One-sample Kolmogorov-Smirnov against the uniform law on [0, 1]: the largest distance, and the
// probability of one as large (Stephens' approximation). `samples` is not empty.
struct KolmogorovSmirnov {
  double distance = 0;
  double p_value = 1;
};
KolmogorovSmirnov against_uniform(std::vector<double> samples);

// Spearman's rank correlation of pairs; 0 when one side does not vary. At least two pairs.
double rank_correlation(std::span<const double> left, std::span<const double> right);

// The most values within any stretch of that width (a scan statistic).
std::size_t densest_window(std::vector<double> values, double width);

// The most of `clients`, spread evenly, that chance puts into any stretch of `share` of the range:
// more has a probability below kAlpha. It is not below the table of RULES.md B6.
std::size_t densest_by_chance(std::size_t clients, double share);

// Counts in so many bins, each over its own expected number: the mean of the squared differences
// over the expected is above that with a probability below kAlpha (chi-squared). At least one bin.
double dispersion_by_chance(std::size_t bins);

double median(std::vector<double> values);  // not empty

}  // namespace retrylab::verify::statistics
