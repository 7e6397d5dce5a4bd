// SPDX-License-Identifier: MIT
// The one translation unit with Boost.Math.
#include "server/verify/statistics/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/kolmogorov_smirnov.hpp>

#include "server/verify/statistics/sorted.h"

namespace retrylab::verify::statistics {
namespace {

// Ranks from 1; equal values share the mean of theirs.
std::vector<double> ranks_of(std::span<const double> values) {
  const std::vector<Placed> order = in_order(values);
  std::vector<double> ranks(values.size());
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from + 1;
    while (to < order.size() && order[to].value == order[from].value) ++to;
    const double mean = static_cast<double>(from + to + 1) / 2;
    for (std::size_t i = from; i < to; ++i) ranks[order[i].place] = mean;
    from = to;
  }
  return ranks;
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double binomial_tail(std::size_t trials, std::size_t count, double share) {
  if (count == 0) return 1;
  if (count > trials) return 0;
  if (share >= 1) return 1;
  const boost::math::binomial_distribution<> law(static_cast<double>(trials), share);
  return boost::math::cdf(boost::math::complement(law, static_cast<double>(count) - 1));
}

KolmogorovSmirnov against_uniform(std::vector<double> samples) {
  sort_numbers(samples);
  const auto count = static_cast<double>(samples.size());
  double distance = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double value = std::clamp(samples[i], 0.0, 1.0);
    const double below = static_cast<double>(i) / count;
    const double above = static_cast<double>(i + 1) / count;
    distance = std::max({distance, value - below, above - value});
  }
  // Stephens: for n samples the distance is to be scaled like this to follow the limit law.
  const double root = std::sqrt(count);
  const double scaled = distance * (root + 0.12 + 0.11 / root);
  const boost::math::kolmogorov_smirnov_distribution<> limit(1);
  return {distance, boost::math::cdf(boost::math::complement(limit, scaled))};
}

double rank_correlation(std::span<const double> left, std::span<const double> right) {
  const std::vector<double> x = ranks_of(left);
  const std::vector<double> y = ranks_of(right);
  const double x_mean = mean_of(x);
  const double y_mean = mean_of(y);
  double both = 0;
  double x_only = 0;
  double y_only = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    both += (x[i] - x_mean) * (y[i] - y_mean);
    x_only += (x[i] - x_mean) * (x[i] - x_mean);
    y_only += (y[i] - y_mean) * (y[i] - y_mean);
  }
  if (x_only == 0 || y_only == 0) return 0;
  return both / std::sqrt(x_only * y_only);
}

std::size_t densest_window(std::vector<double> values, double width) {
  sort_numbers(values);
  std::size_t densest = 0;
  std::size_t from = 0;
  for (std::size_t to = 0; to < values.size(); ++to) {
    while (values[to] - values[from] > width) ++from;
    densest = std::max(densest, to - from + 1);
  }
  return densest;
}

std::size_t densest_by_chance(std::size_t clients, double share) {
  if (share >= 1) return clients;
  // The densest stretch may be at about so many places; that many times as likely is it to be
  // dense.
  const double places = 10.0 / share;
  std::size_t count = static_cast<std::size_t>(share * static_cast<double>(clients));
  while (count < clients && places * binomial_tail(clients, count + 1, share) > kAlpha) ++count;
  return count;
}

double dispersion_by_chance(std::size_t bins) {
  const boost::math::chi_squared_distribution<> law(static_cast<double>(bins));
  return boost::math::quantile(boost::math::complement(law, kAlpha)) / static_cast<double>(bins);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace retrylab::verify::statistics
