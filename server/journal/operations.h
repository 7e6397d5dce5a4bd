// SPDX-License-Identifier: MIT
// Which attempts belong together: the attempts of one operation are the first and its retries.
//
// In this order of preference (DESIGN.md section 5):
//   one_process        one client process is one operation; of a herd, one per port
//   scenario           the value that the scenario's `operation` names
//   invocation_header  X-Op-Id or amz-sdk-invocation-id
//   fingerprint        equal method, target and body
//   fingerprint_and_key  the same, told apart by the idempotency key
// A request to a Location just sent continues its operation whatever it looks like. Unmatched and
// malformed attempts are in no operation.
//
// By fingerprint, an attempt continues an operation that is waiting: its last attempt has failed
// as far as the client could know, not longer ago than a retry could wait. It starts a new one
// when every operation of that fingerprint is still being answered or has succeeded. Among several
// that wait, the idempotency key decides, then a counter that the client sends, then the
// connection, then who has waited longest; a choice that is only likely is marked as not certain,
// and nothing that rests on it is proof.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client_lib/base/time.h"
#include "server/journal/in_parallel.h"
#include "server/journal/record.h"

namespace retrylab::journal {

// In the order of preference.
enum class Grouping { one_process, scenario, invocation_header, fingerprint, fingerprint_and_key };

struct GroupingOptions {
  // A client process is one operation (unless the expectations speak of several).
  bool one_per_process = true;
  // By fingerprint: what comes later than this after a failure, or after the time that the failure
  // asked to wait, is a new operation.
  Duration longest_wait = std::chrono::minutes(2);
};

struct OperationGroup {
  std::string name;  // what identified it; "" by process or fingerprint
  Grouping by = Grouping::one_process;
  bool certain = true;                // no attempt was placed by likelihood
  std::vector<std::size_t> attempts;  // indices into Run::attempts, in order of arrival
};

// In the order of their first attempts.
std::vector<OperationGroup> group_operations(const Run& run, const GroupingOptions& options,
                                             const InParallel& in_parallel = one_after_the_other);

std::string_view word(Grouping grouping);

}  // namespace retrylab::journal
