// SPDX-License-Identifier: MIT
#include "server/verify/chain_finder.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "server/journal/location.h"

namespace retrylab::verify {
namespace {

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find('?'));
}

bool has_path_of(const journal::Attempt& one, const journal::Attempt& other) {
  return one.method == other.method && path_of(one.target) == path_of(other.target);
}

}  // namespace

std::size_t ChainFinder::chain_of(const AttemptEvidence& attempt) {
  const std::size_t chain = find(attempt);
  if (chain == ends_.size()) ends_.emplace_back();
  const bool failed = attempt.seen.broken() || attempt.seen.status >= 400;
  const journal::Fingerprint end =
      std::exchange(ends_[chain], End{attempt.print, attempt.record, failed}).print;
  if (end.request != attempt.print.request) by_request_[attempt.print.request] = chain;
  if (end.key != attempt.print.key && attempt.print.key != 0) by_key_[attempt.print.key] = chain;
  const journal::Attempt& record = *attempt.record;
  if (attempt.seen.status / 100 == 3 && !record.planned.location.empty()) {
    by_location_[journal::resolved(record.target, record.planned.location)] = chain;
  }
  last_ = chain;
  return chain;
}

std::size_t ChainFinder::find(const AttemptEvidence& attempt) const {
  if (ends_.empty()) return 0;
  const journal::Fingerprint& print = attempt.print;
  const journal::Fingerprint& end = ends_[last_].print;
  if (print.request == end.request || (print.key != 0 && print.key == end.key)) return last_;
  if (const auto at = by_key_.find(print.key); at != by_key_.end()) return at->second;
  if (const auto at = by_request_.find(print.request); at != by_request_.end()) {
    return at->second;
  }
  if (!by_location_.empty()) {
    const auto at = by_location_.find(journal::origin_form(attempt.record->target));
    if (at != by_location_.end()) return at->second;
  }
  const auto failed = std::ranges::find_if(ends_, [&](const End& one) {
    return one.failed && has_path_of(*one.record, *attempt.record);
  });
  return static_cast<std::size_t>(failed - ends_.begin());
}

}  // namespace retrylab::verify
