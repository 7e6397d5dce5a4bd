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

std::size_t blurred_before(const Evidence& evidence, std::uint32_t retry) {
  const auto found = evidence.blurred.find(retry);
  return found == evidence.blurred.end() ? 0 : found->second;
}

std::span<const Sample> samples_of_run(const Evidence& evidence, std::size_t run) {
  const auto run_of = [&](const Sample& sample) -> std::size_t {
    return evidence.operation_of(*sample.gap->before).run;
  };
  const std::vector<Sample>& samples = evidence.samples;
  return {std::ranges::lower_bound(samples, run, {}, run_of),
          std::ranges::upper_bound(samples, run, {}, run_of)};
}

std::size_t blurred_in_all(const Evidence& evidence) {
  std::size_t all = 0;
  for (const auto& [retry, count] : evidence.blurred) all += count;
  return all;
}

RuleResult too_few(const Supply& supply, const Evidence& evidence, std::string_view noun) {
  if (supply.was_spoiled()) {
    return {.status = Status::inconclusive,
            .observed = fmt::format("had {}, needs {}: this host's lateness blurred up to {} more",
                                    counted(supply.had, noun), supply.needed, supply.lost),
            .advice = "Run it again on a host that is less busy."};
  }
  const std::size_t runs = std::max<std::size_t>(1, evidence.runs.size());
  const std::size_t repeats =
      supply.had == 0 ? supply.needed : (supply.needed * runs + supply.had - 1) / supply.had;
  return {.status = Status::not_applicable,
          .observed = fmt::format("had {}, needs {}: --repeat {}", counted(supply.had, noun),
                                  supply.needed, repeats),
          .lacks_samples = true};
}

RuleResult too_few(std::size_t had, std::size_t needed, const Evidence& evidence,
                   std::string_view noun) {
  return too_few({.had = had, .needed = needed, .lost = blurred_in_all(evidence)}, evidence, noun);
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
