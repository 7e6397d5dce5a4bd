// SPDX-License-Identifier: MIT
// A stretch of a run's operations, interpreted by itself: parts know nothing of one another, so
// that several can be made at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "server/journal/operations.h"
#include "server/journal/record.h"
#include "server/verify/blind_spots.h"
#include "server/verify/evidence.h"

namespace retrylab::verify {

struct EvidencePart {
  std::vector<AttemptEvidence> attempts;  // operation by operation, chain by chain
  std::vector<Gap> gaps;
  std::vector<Chain> chains;
  std::vector<Sample> samples;
  std::map<std::uint32_t, std::size_t> blurred;  // by the number of the retry
  Occurring occurring;
};

// What a part is made of. `groups` are of that run, and `operations` are their places in the
// evidence, whose first is `first_operation`.
struct PartSource {
  const Evidence& evidence;  // with scenario, settings and lags
  std::uint32_t run_index = 0;
  const journal::Run& run;
  const BlindSpots& spots;
  std::span<const journal::OperationGroup> groups;
  std::uint32_t first_number = 1;  // of the first group, within the run
  std::uint32_t first_operation = 0;
  std::span<OperationEvidence> operations;
};

// Fills the samples and `blurred` from the chains.
void take_samples(const Evidence& evidence, EvidencePart& part);

// Fills `operations` too; they point into the part, which may be moved but not copied.
EvidencePart make_part(const PartSource& source);

}  // namespace retrylab::verify
