// SPDX-License-Identifier: MIT
// An attempt with all that placing it asks for: made from the records, several at once where
// someone helps, since these lie far apart in memory and placing goes one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "server/journal/fingerprint.h"
#include "server/journal/in_parallel.h"
#include "server/journal/operations.h"

namespace retrylab::journal {

// So many are a task's work.
inline constexpr std::size_t kArrivalsPerTask = 16'384;

bool is_in_an_operation(const Attempt& attempt);

// What an attempt says itself of its operation.
struct Label {
  Grouping by = Grouping::fingerprint;   // fingerprint: nothing
  std::uint64_t process = 0;             // of a herd, its listener: processes share no operation
  std::string_view name;                 // else; in the record
  std::optional<std::uint64_t> retries;  // that came before, where it has no name

  // The same for the same operation; as unlikely to be the same for two as a Fingerprint's numbers.
  std::uint64_t hash() const {
    return by == Grouping::one_process ? process : hash_of(name) ^ (process * 0x9e3779b97f4a7c15U);
  }
};

Label label_of(const Run& run, const GroupingOptions& options, const Attempt& attempt);

// "" where one process is all there is.
std::string name_of(const Run& run, const Label& label);

struct Arrival {
  Instant at;
  const Attempt* attempt = nullptr;
  std::size_t index = 0;  // in the run
  Grouping by = Grouping::fingerprint;
  std::uint64_t name = 0;  // Label::hash
  // By fingerprint only.
  Fingerprint print;
  std::optional<std::uint64_t> retries;  // that came before, as the client says
  ConnectionId connection = 0;
  Instant since = kNever;  // the client has known the outcome since then
  Instant until = kNever;  // a later attempt is no retry of it
  bool over = false;       // a final answer: success or redirect
  bool is_redirect = false;

  std::uint64_t key() const { return print.key; }
};

Arrival arrival_of(const Run& run, const GroupingOptions& options, std::size_t index);

// All that are in an operation, in order of arrival.
std::vector<Arrival> arrivals_of(const Run& run, const GroupingOptions& options,
                                 const InParallel& in_parallel);

}  // namespace retrylab::journal
