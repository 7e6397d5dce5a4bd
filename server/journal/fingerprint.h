// SPDX-License-Identifier: MIT
// What tells requests apart, as numbers that are quick to compare, and what clients say in known
// headers of which operation and which attempt it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "server/journal/record.h"

namespace retrylab::journal {

// Equal for equal texts; different for different ones but for one chance in 2^64. Zero: none. Only
// for comparison within one program: the numbers differ from library to library.
struct Fingerprint {
  std::uint64_t request = 0;  // method and target
  std::uint64_t body = 0;     // none: it was never read whole
  std::uint64_t key = 0;

  // The same method, target and body; false when one body is not known.
  bool same_request(const Fingerprint& other) const {
    return request == other.request && body == other.body && body != 0;
  }
};

// The number of a text, never zero.
std::uint64_t hash_of(std::string_view text);

Fingerprint fingerprint_of(const Attempt& attempt);

struct Announced {
  // X-Op-Id or amz-sdk-invocation-id; empty when there is neither. A view into the head.
  std::string_view invocation;
  // How many attempts of the operation came before, as the client says:
  // grpc-previous-rpc-attempts, X-Retry-Attempt, x-stainless-retry-count, or amz-sdk-request
  // ("attempt=2", which is 1).
  std::optional<std::uint64_t> retries;
};

Announced announced_by(const Attempt& attempt);

}  // namespace retrylab::journal
