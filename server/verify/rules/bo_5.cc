// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "server/verify/rules/all.h"
#include "server/verify/rules/samples.h"
#include "server/verify/rules/words.h"
#include "server/verify/statistics/statistics.h"
#include "server/verify/timing.h"

namespace retrylab::verify::rules {
namespace {

constexpr std::array<std::string_view, 2> kYieldsTo{"BO-3", "BO-4"};

// 2^-20: full jitter leaves no wait below half of its ceiling in so many.
constexpr std::size_t kFullNeeds = 20;
constexpr std::size_t kBoundedNeeds = 4;

RuleResult judge_full(std::span<const Sample> all, const Evidence& evidence) {
  std::size_t count = 0;
  std::size_t low = 0;
  const Sample* shown = nullptr;
  for (const Sample& one : all) {
    if (!one.ceiling) continue;
    if (shown == nullptr) shown = &one;
    ++count;
    if (one.time < *one.ceiling / 2) ++low;
  }
  if (count < kFullNeeds) return too_few(count, kFullNeeds, evidence);
  if (low > 0) {
    return {.status = Status::pass,
            .expected = "waits down to zero",
            .observed = fmt::format("{} of {} waits are below half of their ceiling", low, count)};
  }
  return {
      .status = Status::fail,
      .expected = "waits anywhere from zero to the ceiling",
      .observed = fmt::format("none of {} is below half of its ceiling", counted(count, "wait")),
      .attempts = {shown->gap->after->ref()},
      .advice =
          "Full jitter draws from zero to the ceiling; what is declared is not what is "
          "done."};
}

// One wait below the lower bound is enough, and proof whatever the host did meanwhile.
RuleResult judge_bounded(std::span<const Sample> samples, const Evidence& evidence) {
  for (const Gap& gap : evidence.gaps) {
    if (!is_own_wait(gap) || !evidence.operation_of(*gap.before).certain) continue;
    const auto band = wait_band(evidence.settings, own_retry(gap), std::nullopt);
    if (!band || early(*gap.wait_at_most, band->least) != Early::proven) continue;
    return {
        .status = Status::fail,
        .expected = fmt::format("at least {} before retry {}", time_text(band->least), gap.retry),
        .observed = came_after(evidence, gap),
        .missed_by = band->least - *gap.wait_at_most,
        .attempts = {gap.before->ref(), gap.after->ref()},
        .advice =
            "What is declared is not what is done: the declared jitter has a lower "
            "bound."};
  }
  if (samples.size() < kBoundedNeeds) return too_few(samples.size(), kBoundedNeeds, evidence);
  return {.status = Status::pass,
          .expected = "waits above the lower bound of their jitter",
          .observed = fmt::format("all {} are", counted(samples.size(), "wait"))};
}

RuleResult judge(const Evidence& evidence) {
  const Settings& settings = evidence.settings;
  const bool is_known = settings.base && (settings.band || settings.decorrelated);
  if (!is_known) {
    return {.status = Status::not_applicable,
            .observed = "no base and jitter are declared: say backoff.base and backoff.jitter"};
  }
  const std::vector<Sample>& samples = evidence.samples;
  const bool is_full = settings.band == Band{0, 1000};
  return is_full ? judge_full(samples, evidence) : judge_bounded(samples, evidence);
}

}  // namespace

constinit const Rule kBo5{
    .id = "BO-5",
    .statement =
        "Waits use the range of their jitter: full from zero, others not below their bound",
    .source = "RULES BO-5; gRPC A6",
    .parameters = "backoff.base, backoff.cap, backoff.jitter",
    .decision =
        "Full jitter: fails when none of 20 waits is below half of its ceiling (probability 1e-6). "
        "Other kinds: one wait more than 20 ms below its lower bound refutes them.",
    .yields_to = kYieldsTo,
    .judge = judge};

}  // namespace retrylab::verify::rules
