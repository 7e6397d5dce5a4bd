// SPDX-License-Identifier: MIT
// The client's own waits as samples for the statistics of BO-2 and BO-4 to BO-10.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/verify/evidence.h"
#include "server/verify/rules/rule.h"
#include "server/verify/statistics/backoff_model.h"

namespace retrylab::verify {

// By the number of the retry.
std::map<std::uint32_t, std::vector<const Sample*>> by_retry(std::span<const Sample> samples);

// Those of one run, by its place among the runs: they lie together.
std::span<const Sample> samples_of_run(const Evidence& evidence, std::size_t run);

// Base and cap are declared and the base is long enough for the host's lateness not to matter.
bool has_known_shape(const Evidence& evidence);

// Sample by sample for choose_model; only of samples with a ceiling.
std::vector<statistics::Wait> model_waits(const Evidence& evidence,
                                          std::span<const Sample> samples);

// How many waits before one retry the host's lateness has taken; before any of them.
std::size_t blurred_before(const Evidence& evidence, std::uint32_t retry);
std::size_t blurred_in_all(const Evidence& evidence);

// What a statistic had of what it needs. `lost`: how many the host's lateness may have taken.
struct Supply {
  std::size_t had = 0;
  std::size_t needed = 0;
  std::size_t lost = 0;

  bool was_spoiled() const { return had < needed && had + lost >= needed; }
};

// inconclusive where the lost ones might have been enough, else not_applicable with "had 3 waits,
// needs 16: --repeat 6".
RuleResult too_few(const Supply& supply, const Evidence& evidence, std::string_view noun = "wait");
// Where any wait is as good as another.
RuleResult too_few(std::size_t had, std::size_t needed, const Evidence& evidence,
                   std::string_view noun = "wait");

// The attempts around the samples, as evidence; the first of them all.
std::vector<AttemptRef> attempts_of(std::span<const Sample* const> samples);

}  // namespace retrylab::verify
