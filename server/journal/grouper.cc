// SPDX-License-Identifier: MIT
#include "server/journal/grouper.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "server/journal/location.h"

namespace retrylab::journal {
namespace {

// How many waiting operations are looked at for the one that fits best.
constexpr std::size_t kCandidatesMax = 16;

// Groups the attempts of one run, one after the other in order of arrival.
class Grouper {
 public:
  Grouper(const Run& run, const GroupingOptions& options) : run_(run), options_(options) {}

  void place(const Arrival& arrival) {
    const std::size_t group = group_for(arrival);
    groups_[group].attempts.push_back(arrival.index);
    if (groups_[group].by >= Grouping::fingerprint) remember(group, arrival);
  }

  // In the order of their first attempts.
  std::vector<OperationGroup> take() {
    if (was_parted_) {
      std::ranges::stable_sort(groups_, {}, [this](const OperationGroup& group) {
        return run_.attempts[group.attempts.front()].first_byte;
      });
    }
    return std::move(groups_);
  }

 private:
  // Operations whose last attempt has failed for the client, by when it knew.
  using Waiting = std::set<std::pair<Instant, std::size_t>>;

  // What is known of an operation that was made by fingerprint.
  struct Open {
    Waiting* waits_in = nullptr;
    Instant since;  // the client has known the last outcome since then
    Instant until;  // a later attempt is no retry of it
    ConnectionId connection = 0;
    std::uint64_t attempts = 0;
    bool over = false;  // a final answer: success or redirect
    bool keeps_its_key = true;
    std::uint64_t key = 0;
    std::uint64_t body = 0;
  };

  struct Candidate {
    std::size_t group = 0;
    int score = -1;
  };

  std::size_t group_for(const Arrival& arrival) {
    if (arrival.by < Grouping::fingerprint) return named(arrival);
    if (const auto group = redirected(arrival)) return *group;
    return by_fingerprint(arrival);
  }

  std::size_t named(const Arrival& arrival) {
    auto [found, is_new] =
        by_name_[static_cast<std::size_t>(arrival.by)].try_emplace(arrival.name, groups_.size());
    if (is_new) start(name_of(run_, label_of(run_, options_, *arrival.attempt)), arrival.by);
    return found->second;
  }

  std::size_t start(std::string name, Grouping by) {
    groups_.push_back({.name = std::move(name), .by = by});
    open_.emplace_back();
    return groups_.size() - 1;
  }

  // The operation whose last answer sent the client here.
  std::optional<std::size_t> redirected(const Arrival& arrival) {
    if (by_location_.empty()) return std::nullopt;
    const auto found = by_location_.find(origin_form(arrival.attempt->target));
    if (found == by_location_.end() || !is_open_for(found->second, arrival)) return std::nullopt;
    const std::size_t group = found->second;
    by_location_.erase(found);
    return group;
  }

  std::size_t by_fingerprint(const Arrival& arrival) {
    const auto holder = holder_of_key(arrival);
    // Where the key decides, all that matters is whether another waits too.
    const std::vector<Candidate> candidates = waiting_for(arrival, holder ? 2 : kCandidatesMax);
    const auto best = std::ranges::max_element(candidates, {}, &Candidate::score);
    if (holder) {
      const bool is_plain = candidates.size() == 1 && best->group == *holder;
      if (!is_plain) groups_[*holder].by = Grouping::fingerprint_and_key;
      // One that was left out in between is forgotten rather than another operation.
      const std::uint64_t last = open_[*holder].key;
      return last == 0 || last == arrival.key() ? *holder : part_by_key(*holder, arrival);
    }
    if (best == candidates.end() || arrival.retries == 0) {
      return start("", Grouping::fingerprint);
    }
    if (is_told_apart_by_key(open_[best->group], arrival, candidates.size())) {
      groups_[best->group].by = Grouping::fingerprint_and_key;
      return start("", Grouping::fingerprint_and_key);
    }
    if (candidates.size() > 1 && best->score < kCounterFits) groups_[best->group].certain = false;
    return best->group;
  }

  // The operation that has used this key, unless it is over and this is another request: then
  // the client uses a key twice.
  std::optional<std::size_t> holder_of_key(const Arrival& arrival) const {
    if (arrival.key() == 0) return std::nullopt;
    const auto found = by_key_.find(arrival.key());
    if (found == by_key_.end()) return std::nullopt;
    const Open& open = open_[found->second];
    const bool is_other =
        open.body != 0 && arrival.print.body != 0 && open.body != arrival.print.body;
    if (is_other && open.over && open.since <= arrival.at) return std::nullopt;
    return found->second;
  }

  // Another key is a new operation where the old one has shown that it keeps its own, or where
  // several wait. Where one attempt waits, it may as well be a client that changes its key.
  static bool is_told_apart_by_key(const Open& open, const Arrival& arrival, std::size_t waiting) {
    if (arrival.key() == 0 || open.key == 0 || arrival.key() == open.key) return false;
    return waiting > 1 || (open.keeps_its_key && open.attempts > 1);
  }

  // A client that changes its key does not come back to an old one: these were several operations,
  // each with its own. Returns the one with the key of the arrival.
  std::size_t part_by_key(std::size_t group, const Arrival& arrival) {
    const std::vector<std::size_t> together = std::exchange(groups_[group].attempts, {});
    if (open_[group].waits_in != nullptr) open_[group].waits_in->erase({open_[group].since, group});
    open_[group] = {};
    std::unordered_map<std::uint64_t, std::size_t> parts;
    was_parted_ = true;
    for (const std::size_t index : together) {
      const Arrival one = arrival_of(run_, options_, index);
      const auto found = parts.find(one.key());
      const std::size_t part = found != parts.end() ? found->second
                               : parts.empty()      ? group
                                                    : start("", Grouping::fingerprint_and_key);
      parts.emplace(one.key(), part);
      groups_[part].attempts.push_back(index);
      remember(part, one);
    }
    return parts.at(arrival.key());
  }

  bool is_open_for(std::size_t group, const Arrival& arrival) const {
    return open_[group].since <= arrival.at && arrival.at <= open_[group].until;
  }

  std::vector<Candidate> waiting_for(const Arrival& arrival, std::size_t most) {
    std::vector<Candidate> candidates;
    const Fingerprint& print = arrival.print;
    collect(by_print_[{print.request, print.body}], arrival, most, candidates);
    if (print.body != 0 && candidates.empty()) {
      const auto found = by_print_.find({print.request, 0});
      if (found != by_print_.end()) collect(found->second, arrival, most, candidates);
    }
    if (!candidates.empty() || print.body != 0) return candidates;
    // This body never came whole: the last one to ask for the same is the likeliest.
    const auto last = last_by_request_.find(print.request);
    if (last != last_by_request_.end() && !open_[last->second].over &&
        is_open_for(last->second, arrival)) {
      candidates.push_back({last->second, 0});
    }
    return candidates;
  }

  void collect(Waiting& waiting, const Arrival& arrival, std::size_t most,
               std::vector<Candidate>& candidates) {
    for (auto at = waiting.begin(); at != waiting.end() && at->first <= arrival.at;) {
      if (candidates.size() == most) return;
      if (!is_open_for(at->second, arrival)) {
        open_[at->second].waits_in = nullptr;
        at = waiting.erase(at);
        continue;
      }
      candidates.push_back({at->second, score_of(open_[at->second], arrival)});
      ++at;
    }
  }

  static constexpr int kCounterFits = 4;
  static constexpr int kSameConnection = 2;

  // How well an attempt continues an operation; among equals the one that waits longest is first.
  static int score_of(const Open& open, const Arrival& arrival) {
    int score = open.connection == arrival.connection ? kSameConnection : 0;
    if (arrival.retries == open.attempts) score += kCounterFits;
    return score;
  }

  void remember(std::size_t group, const Arrival& arrival) {
    Open& open = open_[group];
    if (open.waits_in != nullptr) open.waits_in->erase({open.since, group});
    open.over = arrival.over;
    open.since = arrival.since;
    open.until = arrival.until;
    open.connection = arrival.connection;
    if (open.attempts > 0 && open.key != arrival.key()) open.keeps_its_key = false;
    ++open.attempts;
    open.key = arrival.key();
    open.body = arrival.print.body;
    open.waits_in = nullptr;
    if (arrival.key() != 0) by_key_[arrival.key()] = group;
    last_by_request_[arrival.print.request] = group;
    const Text& location = arrival.attempt->planned.location;
    if (arrival.is_redirect && !location.empty()) {
      by_location_[resolved(arrival.attempt->target, location)] = group;
    }
    if (arrival.since == kNever || open.over) return;
    open.waits_in = &by_print_[{arrival.print.request, arrival.print.body}];
    open.waits_in->emplace(open.since, group);
  }

  struct PrintHash {
    std::size_t operator()(const std::pair<std::uint64_t, std::uint64_t>& print) const {
      return print.first ^ (print.second * 0x9e3779b97f4a7c15U);
    }
  };

  const Run& run_;
  const GroupingOptions& options_;
  bool was_parted_ = false;
  std::vector<OperationGroup> groups_;
  std::vector<Open> open_;                                                 // by group
  std::array<std::unordered_map<std::uint64_t, std::size_t>, 3> by_name_;  // by Grouping
  std::unordered_map<std::uint64_t, std::size_t> by_key_;
  std::unordered_map<std::string, std::size_t> by_location_;
  std::unordered_map<std::uint64_t, std::size_t> last_by_request_;
  std::unordered_map<std::pair<std::uint64_t, std::uint64_t>, Waiting, PrintHash> by_print_;
};

}  // namespace

namespace {

std::vector<OperationGroup> group_all(const Run& run, const GroupingOptions& options,
                                      std::span<const Arrival> arrivals) {
  Grouper grouper(run, options);
  for (const Arrival& arrival : arrivals) grouper.place(arrival);
  return grouper.take();
}

}  // namespace

// The processes of a herd share nothing: each is grouped by itself.
std::vector<OperationGroup> group(const Run& run, const GroupingOptions& options,
                                  std::span<const Arrival> arrivals) {
  if (run.one_process || run.processes <= 1) return group_all(run, options, arrivals);
  std::map<std::uint32_t, std::vector<Arrival>> by_process;
  for (const Arrival& one : arrivals) by_process[one.attempt->listener].push_back(one);
  std::vector<OperationGroup> groups;
  for (const auto& [process, own] : by_process) {
    for (OperationGroup& one : group_all(run, options, own)) groups.push_back(std::move(one));
  }
  std::ranges::stable_sort(groups, {}, [&run](const OperationGroup& one) {
    return std::pair(run.attempts[one.attempts.front()].first_byte, one.attempts.front());
  });
  return groups;
}

}  // namespace retrylab::journal
