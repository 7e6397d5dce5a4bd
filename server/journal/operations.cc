// SPDX-License-Identifier: MIT
#include "server/journal/operations.h"

#include "server/journal/arrival.h"
#include "server/journal/grouper.h"
#include "server/journal/named_groups.h"

namespace retrylab::journal {

std::vector<OperationGroup> group_operations(const Run& run, const GroupingOptions& options,
                                             const InParallel& in_parallel) {
  if (auto groups = group_by_name(run, options, in_parallel)) return *std::move(groups);
  return group(run, options, arrivals_of(run, options, in_parallel));
}

std::string_view word(Grouping grouping) {
  switch (grouping) {
    case Grouping::one_process:
      return "one_process";
    case Grouping::scenario:
      return "scenario";
    case Grouping::invocation_header:
      return "invocation_header";
    case Grouping::fingerprint:
      return "fingerprint";
    case Grouping::fingerprint_and_key:
      return "fingerprint_and_key";
  }
  return "";
}

}  // namespace retrylab::journal
