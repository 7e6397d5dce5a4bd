// SPDX-License-Identifier: MIT
// Puts the attempts of one operation into chains: the same request, the same key, where the answer
// before sent the client, or the same method and path after a failure (some retries count
// themselves in the query).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
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

  // What a chain ends with so far.
  struct End {
    journal::Fingerprint print;
    const journal::Attempt* record = nullptr;
    bool failed = false;
  };

  std::vector<End> ends_;
  std::size_t last_ = 0;
  std::map<std::uint64_t, std::size_t> by_key_;
  std::map<std::uint64_t, std::size_t> by_request_;
  std::map<std::string, std::size_t> by_location_;  // resolved
};

}  // namespace retrylab::verify
