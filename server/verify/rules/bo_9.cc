// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "server/verify/rules/all.h"
#include "server/verify/rules/samples.h"
#include "server/verify/rules/words.h"
#include "server/verify/statistics/statistics.h"

namespace retrylab::verify::rules {
namespace {

constexpr std::array<std::string_view, 4> kYieldsTo{"BO-3", "BO-4", "BO-8", "BO-10"};

// In seconds: what timers do, and what a busy host does.
constexpr std::array kEqualWithin{0.001, 0.004};
constexpr std::size_t kLengthMin = 3;
constexpr std::size_t kLengthMax = 6;
// BO-4 needs so many waits before the same retry.
constexpr std::size_t kJitterKnownFrom = 10;

// The waits of one operation from its first retry on.
struct Sequence {
  std::span<const Sample> samples;
};

std::vector<Sequence> sequences_of(std::span<const Sample> samples) {
  std::vector<Sequence> all;
  for (std::size_t from = 0; from < samples.size();) {
    std::size_t to = from;
    std::size_t length = 0;
    for (; to < samples.size() && samples[to].chain == samples[from].chain; ++to) {
      if (samples[to].gap->retry == length + 1 && to - from == length) ++length;
    }
    all.push_back({samples.subspan(from, length)});
    from = to;
  }
  return all;
}

bool starts_alike(const Sequence& one, const Sequence& other, std::size_t length, double within) {
  for (std::size_t i = 0; i < length; ++i) {
    const double distance = one.samples[i].seconds() - other.samples[i].seconds();
    if (std::abs(distance) > within) return false;
  }
  return true;
}

// How long a common start has to be for chance to explain it in no more than one of 10,000 cases,
// if each wait is spread over that share of about the longest one seen at its place.
std::size_t length_needed(const std::vector<Sequence>& all, double spread, double within) {
  const auto count = static_cast<double>(all.size());
  double chance = count * (count - 1) / 2;
  for (std::size_t length = 1; length <= kLengthMax; ++length) {
    double longest = 0;
    for (const Sequence& one : all) {
      if (one.samples.size() >= length) {
        longest = std::max(longest, one.samples[length - 1].seconds());
      }
    }
    if (longest > 0) chance *= std::min(1.0, 2 * within / (longest * spread));
    const bool is_enough = chance < statistics::kAlpha / kEqualWithin.size();
    if (length >= kLengthMin && is_enough) return length;
  }
  return kLengthMax + 1;
}

// The values of `sorted` that are left out when as many as possible are alike, as BO-4 means it.
std::size_t unlike(const std::vector<Duration>& sorted) {
  std::size_t most = 0;
  std::size_t from = 0;
  for (std::size_t to = 0; to < sorted.size(); ++to) {
    while (sorted[from] < sorted[to] / 10 * 9) ++from;
    most = std::max(most, to - from + 1);
  }
  return sorted.size() - most;
}

// Where all are alike there is no jitter, which is another matter (BO-4). One wait may stand out:
// a timer that was late for once.
bool are_without_jitter(std::span<const Sequence> all, std::size_t length) {
  // Of very many, a few show it: what does not fit among them does not fit among all.
  constexpr std::size_t kFew = 100;
  if (all.size() > kFew && !are_without_jitter(all.first(kFew), length)) return false;
  std::size_t outliers = 0;
  for (std::size_t place = 0; place < length; ++place) {
    std::vector<Duration> times;
    for (const Sequence& one : all) times.push_back(one.samples[place].time);
    std::ranges::sort(times);
    outliers += unlike(times);
    if (outliers > 1) return false;
  }
  return outliers == 0 || all.size() > 2;
}

RuleResult without_jitter(const Evidence& evidence, std::size_t operations) {
  if (operations < kJitterKnownFrom) {
    RuleResult result = too_few(operations, kJitterKnownFrom, evidence, "operation");
    result.observed =
        "all waits are alike, and whether any are jittered is not known (BO-4): " + result.observed;
    return result;
  }
  return {.status = Status::not_applicable, .observed = "all waits are alike (BO-4)"};
}

double spread_of(const Settings& settings) {
  if (!settings.band) return 1;
  return static_cast<double>(std::max<std::int64_t>(settings.band->high - settings.band->low, 1)) /
         static_cast<double>(std::max<std::int64_t>(settings.band->high, 1));
}

RuleResult alike(const Evidence& evidence, const Sample& one, const Sample& other,
                 std::size_t length) {
  const auto name = [&](const Sample& sample) {
    return operation_name(evidence, evidence.operation_of(sample.chain->first()));
  };
  return {.status = Status::fail,
          .expected = "waits that no other operation has",
          .observed = fmt::format("{} and {} waited the same before {} retries in a row: {} first",
                                  name(one), name(other), length, time_text(one.time)),
          .attempts = {one.gap->after->ref(), other.gap->after->ref()},
          .advice =
              "Seed every client's random numbers from the system, not from a constant "
              "or the time."};
}

// Where a sequence lies by two of its waits: of 100,000 operations few others are near it.
struct Place {
  std::int64_t cell = 0;  // by the first of them, as wide as equal waits may differ
  double second = 0;
  const Sequence* sequence = nullptr;
};

// Looks for two sequences that start alike.
class Neighbours {
 public:
  // The waits before the last retries differ most: they are drawn from the widest range.
  Neighbours(const std::vector<Sequence>& all, std::size_t length, double within)
      : length_(length), within_(within) {
    for (const Sequence& one : all) {
      const double first = one.samples[length - 1].seconds();
      places_.push_back(
          {static_cast<std::int64_t>(first / within), one.samples[length - 2].seconds(), &one});
    }
    std::ranges::sort(places_, {}, key_of);
  }

  std::optional<std::pair<const Sequence*, const Sequence*>> find() const {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Place& one = places_[i];
      if (const Sequence* other = alike_from(one, i + 1)) return std::pair(one.sequence, other);
      const std::pair lowest(one.cell + 1, one.second - within_);
      const auto next = std::ranges::lower_bound(places_, lowest, {}, key_of);
      const auto index = static_cast<std::size_t>(next - places_.begin());
      if (const Sequence* other = alike_from(one, index)) return std::pair(one.sequence, other);
    }
    return std::nullopt;
  }

 private:
  static std::pair<std::int64_t, double> key_of(const Place& place) {
    return {place.cell, place.second};
  }

  // Among the places from there on, in the same cell and near.
  const Sequence* alike_from(const Place& one, std::size_t from) const {
    for (std::size_t i = from; i < places_.size(); ++i) {
      const Place& other = places_[i];
      if (other.cell != places_[from].cell || other.second - one.second > within_) break;
      if (other.cell - one.cell > 1) break;
      if (starts_alike(*one.sequence, *other.sequence, length_, within_)) return other.sequence;
    }
    return nullptr;
  }

  std::vector<Place> places_;
  std::size_t length_;
  double within_;
};

// Operations that would have had three retries without the host's lateness, at most: each lost one
// of its first three waits, and waited before a third retry.
std::size_t blurred_operations(const Evidence& evidence) {
  std::size_t waits = 0;
  for (std::uint32_t retry = 1; retry <= kLengthMin; ++retry) {
    waits += blurred_before(evidence, retry);
  }
  const auto is_third = [](const Sample& one) { return one.gap->retry == kLengthMin; };
  const auto thirds = static_cast<std::size_t>(std::ranges::count_if(evidence.samples, is_third));
  return std::min(waits, thirds + blurred_before(evidence, kLengthMin));
}

// Two waits are equal when they are that close.
RuleResult judge_within(const Evidence& evidence, std::vector<Sequence> all, double within) {
  const std::size_t length = length_needed(all, spread_of(evidence.settings), within);
  std::erase_if(all, [length](const Sequence& one) { return one.samples.size() < length; });
  if (all.size() < 2) {
    return too_few({.had = all.size(), .needed = 2, .lost = blurred_operations(evidence)}, evidence,
                   "operation with three retries");
  }
  std::ranges::sort(all, {}, [](const Sequence& one) { return one.samples[0].time; });
  if (are_without_jitter(all, length)) return without_jitter(evidence, all.size());
  if (const auto pair = Neighbours(all, length, within).find()) {
    return alike(evidence, pair->first->samples[0], pair->second->samples[0], length);
  }
  return {.status = Status::pass,
          .expected = "waits that no other operation has",
          .observed = fmt::format("{} differ", counted(all.size(), "operation"))};
}

RuleResult judge(const Evidence& evidence) {
  if (evidence.settings.band == Band{1000, 1000}) {
    return {.status = Status::not_applicable, .observed = "no jitter is expected"};
  }
  const std::vector<Sequence> all = sequences_of(evidence.samples);
  RuleResult result = judge_within(evidence, all, kEqualWithin.front());
  if (result.status == Status::fail) return result;
  RuleResult wider = judge_within(evidence, all, kEqualWithin.back());
  return wider.status == Status::fail ? wider : result;
}

}  // namespace

constinit const Rule kBo9{.id = "BO-9",
                          .statement = "No two clients draw the same random numbers",
                          .source = "RULES BO-9",
                          .parameters = "backoff.jitter",
                          .decision =
                              "Fails when two operations have the same waits (within 1 ms, or 4 ms "
                              "on a busy host) before "
                              "three or more retries in a row, as many as chance does not explain "
                              "in one of 10,000 cases. Not where all operations wait alike: that "
                              "is a client without jitter (BO-4), or there are too few to tell.",
                          .yields_to = kYieldsTo,
                          .judge = judge};

}  // namespace retrylab::verify::rules
