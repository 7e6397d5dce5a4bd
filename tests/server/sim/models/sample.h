// SPDX-License-Identifier: MIT
// Mean, standard deviation and standard error of a sample.
#pragma once

#include <cmath>
#include <cstddef>

namespace retrylab::sim {

class Sample {
 public:
  void add(double value) {
    ++count_;
    const double away = value - mean_;
    mean_ += away / static_cast<double>(count_);
    squares_ += away * (value - mean_);
  }
  std::size_t count() const { return count_; }
  double mean() const { return mean_; }
  double deviation() const {
    return count_ < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(count_ - 1));
  }
  double error() const { return deviation() / std::sqrt(static_cast<double>(count_)); }

 private:
  std::size_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

// How far apart two means are, in standard errors of their difference.
inline double deviation_in_errors(double ours, double our_error, double theirs,
                                  double their_error) {
  const double error = std::sqrt(our_error * our_error + their_error * their_error);
  return error > 0 ? (ours - theirs) / error : (ours > theirs || ours < theirs ? 1e9 : 0);
}

}  // namespace retrylab::sim
