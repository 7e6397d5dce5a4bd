// SPDX-License-Identifier: MIT
#include "server/sim/measures.h"

#include <algorithm>

namespace retrylab::sim {
namespace {

std::uint32_t& bin_at(std::vector<std::uint32_t>& bins, Instant now) {
  const auto bin = static_cast<std::size_t>(now.time_since_epoch() / kBin);
  if (bin >= bins.size()) bins.resize(bin + 1);
  return bins[bin];
}

std::uint64_t peak(const std::vector<std::uint32_t>& bins) {
  return bins.empty() ? 0 : std::ranges::max(bins);
}

// The value below or at which that share of all lies (nearest rank); zero when there are none.
Duration quantile(std::vector<Duration>& values, std::size_t percent) {
  if (values.empty()) return Duration(0);
  const std::size_t rank = (values.size() * percent + 99) / 100;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::ranges::nth_element(values, at);
  return *at;
}

}  // namespace

void Measures::sent(bool first) {
  ++summary_.attempts;
  if (!first) ++summary_.retries;
}

void Measures::arrived(Instant now, bool first) {
  ++summary_.arrivals;
  ++bin_at(arrivals_, now);
  if (!first) ++bin_at(retries_, now);
  if (last_arrival_) {
    summary_.longest_silence = std::max(summary_.longest_silence, now - *last_arrival_);
  }
  last_arrival_ = now;
}

void Measures::served(Instant) {
  ++summary_.served;
}

void Measures::waiting(Instant now, std::uint64_t attempts) {
  std::uint32_t& most = bin_at(queue_, now);
  most = std::max(most, static_cast<std::uint32_t>(std::min<std::uint64_t>(attempts, UINT32_MAX)));
}

void Measures::ended(Instant started, Instant now, Reason reason) {
  ++ended_;
  const auto number = static_cast<std::size_t>(reason);
  if (number >= reasons_.size()) reasons_.resize(number + 1);
  ++reasons_[number];
  summary_.end = now.time_since_epoch();
  if (recovery_ && started < *recovery_ && now >= *recovery_) drained_ = now;
  if (reason != Reason::succeeded) return;
  ++summary_.successes;
  ++bin_at(successes_, now);
  completions_.push_back(now - started);
}

Summary Measures::summary() const {
  Summary summary = summary_;
  summary.unfinished = summary.operations - ended_;
  summary.peak_arrivals = peak(arrivals_);
  summary.peak_retries = peak(retries_);
  std::vector<Duration> completions = completions_;
  summary.completion_p50 = quantile(completions, 50);
  summary.completion_p99 = quantile(completions, 99);
  if (recovery_ && summary.unfinished == 0) {
    summary.drain = drained_ > *recovery_ ? drained_ - *recovery_ : Duration(0);
  }
  return summary;
}

}  // namespace retrylab::sim
