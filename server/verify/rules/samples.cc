// SPDX-License-Identifier: MIT
#include "server/verify/rules/samples.h"

#include <fmt/format.h>

#include <algorithm>

#include "server/verify/rules/plain.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify {
namespace {

// Ten times the tolerance for lateness: below it, the shape drowns in it.
constexpr Duration kBaseMin = 10 * kLateTolerance;

}  // namespace

std::map<std::uint32_t, std::vector<const Sample*>> by_retry(std::span<const Sample> samples) {
  std::map<std::uint32_t, std::vector<const Sample*>> groups;
  for (const Sample& sample : samples) groups[sample.gap->retry].push_back(&sample);
  return groups;
}

bool has_known_shape(const Evidence& evidence) {
  const Settings& settings = evidence.settings;
  return settings.base && *settings.base >= kBaseMin && settings.cap;
}

std::vector<statistics::Wait> model_waits(const Evidence& evidence,
                                          std::span<const Sample> samples) {
  std::vector<statistics::Wait> waits;
  const Duration base = evidence.settings.base.value_or(Duration(0));
  for (const Sample& sample : samples) {
    const bool has_history = sample.previous || sample.gap->retry == 1;
    if (!sample.ceiling || !has_history) continue;
    waits.push_back({.time = sample.time,
                     .ceiling = *sample.ceiling,
                     .previous = sample.previous.value_or(base)});
  }
  return waits;
}

RuleResult too_few(std::size_t had, std::size_t needed, const Evidence& evidence,
                   std::string_view noun) {
  // Of those that there would have been, about that share is of this kind.
  const std::size_t all = evidence.samples.size() + evidence.blurred;
  const std::size_t would = evidence.samples.empty() ? 0 : had * all / evidence.samples.size();
  if (would >= needed || (evidence.samples.empty() && all >= needed)) {
    return {.status = Status::inconclusive,
            .observed = fmt::format("had {}, needs {}: this host's lateness blurred {} more",
                                    counted(had, noun), needed, evidence.blurred),
            .advice = "Run it again on a host that is less busy."};
  }
  const std::size_t runs = evidence.runs.size();
  const std::size_t repeats =
      had == 0 ? needed : (needed * std::max<std::size_t>(1, runs) + had - 1) / had;
  return {.status = Status::not_applicable,
          .observed =
              fmt::format("had {}, needs {}: --repeat {}", counted(had, noun), needed, repeats),
          .lacks_samples = true};
}

std::vector<AttemptRef> attempts_of(std::span<const Sample* const> samples) {
  std::vector<AttemptRef> refs;
  for (const Sample* sample : samples) {
    if (refs.size() >= kEvidenceMax) break;
    refs.push_back(sample->gap->after->ref());
  }
  return refs;
}

}  // namespace retrylab::verify
