// SPDX-License-Identifier: MIT
#include "server/verify/chain_finder.h"

#include <utility>

namespace retrylab::verify {

std::size_t ChainFinder::chain_of(const AttemptEvidence& attempt) {
  const std::size_t chain = find(attempt);
  if (chain == ends_.size()) ends_.emplace_back(journal::Fingerprint{});
  const journal::Fingerprint end = std::exchange(ends_[chain], attempt.print);
  if (end.request != attempt.print.request) by_request_[attempt.print.request] = chain;
  if (end.key != attempt.print.key && attempt.print.key != 0) by_key_[attempt.print.key] = chain;
  if (attempt.seen.status / 100 == 3) by_location_[attempt.record->planned.location] = chain;
  last_ = chain;
  return chain;
}

std::size_t ChainFinder::find(const AttemptEvidence& attempt) const {
  if (ends_.empty()) return 0;
  const journal::Fingerprint& print = attempt.print;
  const journal::Fingerprint& end = ends_[last_];
  if (print.request == end.request || (print.key != 0 && print.key == end.key)) return last_;
  if (const auto at = by_key_.find(print.key); at != by_key_.end()) return at->second;
  if (const auto at = by_request_.find(print.request); at != by_request_.end()) {
    return at->second;
  }
  for (const auto& [location, chain] : by_location_) {
    if (location.ends_with(attempt.record->target.str())) return chain;
  }
  return ends_.size();
}

}  // namespace retrylab::verify
