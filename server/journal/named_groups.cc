// SPDX-License-Identifier: MIT
#include "server/journal/named_groups.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "server/journal/arrival.h"

namespace retrylab::journal {
namespace {

constexpr unsigned kShareBits = 4;

// One attempt, as little of it as putting it in its place takes.
struct Named {
  Instant at;
  std::uint64_t hash = 0;
  std::string_view name;
  std::uint32_t index = 0;    // in the run
  std::uint32_t process = 0;  // Label::process
  Grouping by = Grouping::fingerprint;
  std::uint8_t share = 0;

  friend bool operator==(const Named& one, const Named& other) {
    if (one.hash != other.hash || one.by != other.by || one.process != other.process) return false;
    return one.name.data() == other.name.data() || one.name == other.name;
  }
};

struct NamedHash {
  std::size_t operator()(const Named& named) const { return named.hash; }
};

Named named(const Run& run, const GroupingOptions& options, std::size_t index) {
  const Attempt& attempt = run.attempts[index];
  if (!is_in_an_operation(attempt)) return {.index = UINT32_MAX};
  const Label label = label_of(run, options, attempt);
  const std::uint64_t hash = label.hash();
  return {.at = attempt.first_byte,
          .hash = hash,
          .name = label.name,
          .index = static_cast<std::uint32_t>(index),
          .process = static_cast<std::uint32_t>(label.process),
          .by = label.by,
          .share = static_cast<std::uint8_t>((hash * 0x9e3779b97f4a7c15U) >> (64 - kShareBits))};
}

bool has_no_name(const Named& one) {
  return one.index != UINT32_MAX && one.by >= Grouping::fingerprint;
}

// Up to the first that has no name.
bool name_stretch(const Run& run, const GroupingOptions& options, std::size_t first,
                  std::vector<Named>& all) {
  const std::size_t last = std::min(first + kArrivalsPerTask, all.size());
  for (std::size_t i = first; i < last; ++i) {
    all[i] = named(run, options, i);
    if (has_no_name(all[i])) return false;
  }
  return true;
}

// In order of arrival; nothing where one has no name.
std::optional<std::vector<Named>> all_named(const Run& run, const GroupingOptions& options,
                                            const InParallel& in_parallel) {
  std::vector<Named> all(run.attempts.size());
  if (!all.empty() && has_no_name(named(run, options, 0))) return std::nullopt;
  std::vector<char> is_named(all.size() / kArrivalsPerTask + 1, 1);
  Tasks tasks;
  for (std::size_t i = 0; i < is_named.size(); ++i) {
    tasks.emplace_back(
        [&, i] { is_named[i] = name_stretch(run, options, i * kArrivalsPerTask, all) ? 1 : 0; });
  }
  in_parallel(tasks);
  if (std::ranges::count(is_named, 0) > 0) return std::nullopt;
  std::erase_if(all, [](const Named& one) { return one.index == UINT32_MAX; });
  const auto before = [](const Named& one, const Named& other) {
    return std::pair(one.at, one.index) < std::pair(other.at, other.index);
  };
  if (!std::ranges::is_sorted(all, before)) std::ranges::sort(all, before);
  return all;
}

// The operations of one share, and where in the order of arrival each begins.
struct Share {
  std::vector<OperationGroup> groups;
  std::vector<std::size_t> begins;
};

Share take_share(const Run& run, const std::vector<Named>& all, std::size_t number) {
  Share share;
  std::unordered_map<Named, std::size_t, NamedHash> group_of;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Named& one = all[i];
    if (one.share != number) continue;
    const auto [found, is_new] = group_of.try_emplace(one, share.groups.size());
    if (is_new) {
      const Label label{.by = one.by, .process = one.process, .name = one.name};
      share.groups.push_back({.name = name_of(run, label), .by = one.by});
      share.begins.push_back(i);
    }
    share.groups[found->second].attempts.push_back(one.index);
  }
  return share;
}

std::vector<OperationGroup> join(std::vector<Share> shares) {
  std::vector<std::pair<std::size_t, OperationGroup*>> order;
  for (Share& share : shares) {
    for (std::size_t i = 0; i < share.groups.size(); ++i) {
      order.emplace_back(share.begins[i], &share.groups[i]);
    }
  }
  std::ranges::sort(order);
  std::vector<OperationGroup> groups;
  groups.reserve(order.size());
  for (const auto& [begin, group] : order) groups.push_back(std::move(*group));
  return groups;
}

}  // namespace

std::optional<std::vector<OperationGroup>> group_by_name(const Run& run,
                                                         const GroupingOptions& options,
                                                         const InParallel& in_parallel) {
  const auto all = all_named(run, options, in_parallel);
  if (!all) return std::nullopt;
  std::vector<Share> shares(std::size_t{1} << kShareBits);
  Tasks tasks;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    tasks.emplace_back([&, i] { shares[i] = take_share(run, *all, i); });
  }
  in_parallel(tasks);
  return join(std::move(shares));
}

}  // namespace retrylab::journal
