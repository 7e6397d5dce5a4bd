// SPDX-License-Identifier: MIT
// Puts the attempts of one operation into chains: the same request, the same key, or where the
// answer before sent the client.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "server/journal/fingerprint.h"
#include "server/verify/evidence.h"

namespace retrylab::verify {

class ChainFinder {
 public:
  // Call in order of arrival. A number not returned before begins a chain.
  std::size_t chain_of(const AttemptEvidence& attempt);

 private:
  std::size_t find(const AttemptEvidence& attempt) const;

  std::vector<journal::Fingerprint> ends_;
  std::size_t last_ = 0;
  std::map<std::uint64_t, std::size_t> by_key_;
  std::map<std::uint64_t, std::size_t> by_request_;
  std::map<std::string_view, std::size_t> by_location_;
};

}  // namespace retrylab::verify
