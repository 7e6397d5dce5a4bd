// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "server/verify/rules/all.h"
#include "server/verify/rules/samples.h"
#include "server/verify/rules/words.h"
#include "server/verify/statistics/statistics.h"

namespace retrylab::verify::rules {
namespace {

constexpr std::array<std::string_view, 4> kYieldsTo{"BO-3", "BO-4", "BO-8", "BO-10"};

constexpr double kEqualWithin = 0.001;  // seconds
constexpr std::size_t kLengthMin = 3;
constexpr std::size_t kLengthMax = 6;

// The waits of one operation from its first retry on.
struct Sequence {
  std::vector<const Sample*> samples;
};

std::vector<Sequence> sequences_of(std::span<const Sample> samples) {
  std::vector<Sequence> all;
  const Chain* chain = nullptr;
  for (const Sample& sample : samples) {
    if (sample.chain != chain) all.emplace_back();
    chain = sample.chain;
    auto& sequence = all.back().samples;
    if (sample.gap->retry == sequence.size() + 1) sequence.push_back(&sample);
  }
  return all;
}

bool starts_alike(const Sequence& one, const Sequence& other, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) {
    const double distance = one.samples[i]->seconds() - other.samples[i]->seconds();
    if (std::abs(distance) > kEqualWithin) return false;
  }
  return true;
}

// How long a common start has to be for chance to explain it in no more than one of 10,000 cases,
// if each wait is spread over about the longest one seen at its place.
std::size_t length_needed(const std::vector<Sequence>& all) {
  const auto count = static_cast<double>(all.size());
  double chance = count * (count - 1) / 2;
  for (std::size_t length = 1; length <= kLengthMax; ++length) {
    double longest = 0;
    for (const Sequence& one : all) {
      if (one.samples.size() >= length) {
        longest = std::max(longest, one.samples[length - 1]->seconds());
      }
    }
    if (longest > 0) chance *= std::min(1.0, 2 * kEqualWithin / longest);
    if (length >= kLengthMin && chance < statistics::kAlpha) return length;
  }
  return kLengthMax + 1;
}

// Where all are alike there is no jitter, which is another matter (BO-4).
bool any_differs(const std::vector<Sequence>& sorted, std::size_t length) {
  return !starts_alike(sorted.front(), sorted.back(), length);
}

RuleResult judge(const Evidence& evidence) {
  if (evidence.settings.band == Band{1000, 1000}) {
    return {.status = Status::not_applicable, .observed = "no jitter is expected"};
  }
  const std::vector<Sample>& samples = evidence.samples;
  std::vector<Sequence> all = sequences_of(samples);
  const std::size_t length = length_needed(all);
  std::erase_if(all, [length](const Sequence& one) { return one.samples.size() < length; });
  if (all.size() < 2) return too_few(all.size(), 2, evidence, "operation with three retries");
  std::ranges::sort(all, {}, [](const Sequence& one) { return one.samples[0]->time; });
  if (!any_differs(all, length)) {
    return {.status = Status::not_applicable, .observed = "all waits are alike (BO-4)"};
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const double ahead = all[j].samples[0]->seconds() - all[i].samples[0]->seconds();
      if (ahead > kEqualWithin) break;
      if (!starts_alike(all[i], all[j], length)) continue;
      return {
          .status = Status::fail,
          .expected = "waits that no other operation has",
          .observed = fmt::format(
              "{} and {} waited the same before {} retries in a row: {} first",
              operation_name(evidence, evidence.operation_of(all[i].samples[0]->chain->first())),
              operation_name(evidence, evidence.operation_of(all[j].samples[0]->chain->first())),
              length, time_text(all[i].samples[0]->time)),
          .attempts = {all[i].samples[0]->gap->after->ref(), all[j].samples[0]->gap->after->ref()},
          .advice =
              "Seed every client's random numbers from the system, not from a constant "
              "or the time."};
    }
  }
  return {.status = Status::pass,
          .expected = "waits that no other operation has",
          .observed = fmt::format("{} differ", counted(all.size(), "operation"))};
}

}  // namespace

constinit const Rule kBo9{
    .id = "BO-9",
    .statement = "No two clients draw the same random numbers",
    .source = "RULES BO-9",
    .parameters = "backoff.jitter",
    .decision =
        "Fails when two operations have the same waits (within 1 ms) before three or more retries "
        "in a row, as many as chance does not explain in one of 10,000 cases.",
    .yields_to = kYieldsTo,
    .judge = judge};

}  // namespace retrylab::verify::rules
