// SPDX-License-Identifier: MIT
#include "server/journal/operations.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "client_lib/retry/retry_after.h"
#include "server/journal/fingerprint.h"
#include "server/journal/seen.h"

namespace retrylab::journal {
namespace {

// How many waiting operations are looked at for the one that fits best.
constexpr std::size_t kCandidatesMax = 16;

bool is_in_an_operation(const Attempt& attempt) {
  return attempt.planned.source != Source::unmatched && attempt.planned.source != Source::malformed;
}

// The path and query of a target or Location: "http://host:1/a?b" and "/a?b" are the same.
std::string_view origin_form(std::string_view target) {
  const auto scheme = target.find("://");
  if (scheme == std::string_view::npos) return target;
  const auto path = target.find('/', scheme + 3);
  return path == std::string_view::npos ? "/" : target.substr(path);
}

// For how long after its answer an attempt may still be followed by a retry.
Duration patience(const Run& run, const Attempt& attempt, Instant known, Duration longest_wait) {
  if (attempt.planned.retry_after.empty()) return longest_wait;
  const WallTime received = run.wall_origin + known.time_since_epoch();
  const RetryAfter asked = find_retry_after(attempt.planned.retry_after, received);
  return asked.wait > kForever - longest_wait ? kForever : asked.wait + longest_wait;
}

// An attempt with what is asked of it again and again.
struct Arrival {
  std::size_t index = 0;
  const Attempt* attempt = nullptr;
  Fingerprint print;
  Announced announced;

  std::uint64_t key() const { return print.key; }
  Instant at() const { return attempt->first_byte; }
};

// Groups the attempts of one run, one after the other in order of arrival.
class Grouper {
 public:
  Grouper(const Run& run, const GroupingOptions& options) : run_(run), options_(options) {}

  void place(std::size_t index) {
    const Attempt& attempt = run_.attempts[index];
    Arrival arrival{.index = index, .attempt = &attempt};
    const std::size_t group = group_for(arrival);
    groups_[group].attempts.push_back(index);
    if (groups_[group].by >= Grouping::fingerprint) remember(group, arrival);
  }

  std::vector<OperationGroup> take() { return std::move(groups_); }

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

  std::size_t group_for(Arrival& arrival) {
    const Attempt& attempt = *arrival.attempt;
    if (options_.one_per_process && run_.one_process) return named("", Grouping::one_process);
    if (options_.one_per_process && run_.processes > 1) return of_listener(attempt.listener);
    if (!attempt.operation.empty()) return named(attempt.operation, Grouping::scenario);
    arrival.announced = announced_by(attempt);
    if (!arrival.announced.invocation.empty()) {
      return named(arrival.announced.invocation, Grouping::invocation_header);
    }
    arrival.print = fingerprint_of(attempt);
    if (const auto group = redirected(arrival)) return *group;
    return by_fingerprint(arrival);
  }

  // The names are views into the attempts.
  std::size_t named(std::string_view name, Grouping by) {
    auto [found, is_new] = by_name_[by].try_emplace(name, groups_.size());
    if (is_new) start(std::string(name), by);
    return found->second;
  }

  std::size_t of_listener(std::uint32_t listener) {
    auto [found, is_new] = by_listener_.try_emplace(listener, groups_.size());
    if (is_new) start(std::to_string(listener), Grouping::one_process);
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
    const std::vector<Candidate> candidates = waiting_for(arrival);
    const auto best = std::ranges::max_element(candidates, {}, &Candidate::score);
    if (const auto holder = holder_of_key(arrival)) {
      const bool is_plain = candidates.size() == 1 && best->group == *holder;
      if (!is_plain) groups_[*holder].by = Grouping::fingerprint_and_key;
      // One that was left out in between is forgotten rather than another operation.
      const std::uint64_t last = open_[*holder].key;
      return last == 0 || last == arrival.key() ? *holder : part_by_key(*holder, arrival);
    }
    if (best == candidates.end() || arrival.announced.retries == 0) {
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
    if (is_other && open.over && open.since <= arrival.at()) return std::nullopt;
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
    for (const std::size_t index : together) {
      Arrival one{.index = index, .attempt = &run_.attempts[index]};
      one.print = fingerprint_of(*one.attempt);
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
    return open_[group].since <= arrival.at() && arrival.at() <= open_[group].until;
  }

  std::vector<Candidate> waiting_for(const Arrival& arrival) {
    std::vector<Candidate> candidates;
    const Fingerprint& print = arrival.print;
    collect(by_print_[{print.request, print.body}], arrival, candidates);
    if (print.body != 0 && candidates.empty()) {
      const auto found = by_print_.find({print.request, 0});
      if (found != by_print_.end()) collect(found->second, arrival, candidates);
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

  void collect(Waiting& waiting, const Arrival& arrival, std::vector<Candidate>& candidates) {
    for (auto at = waiting.begin(); at != waiting.end() && at->first <= arrival.at();) {
      if (candidates.size() == kCandidatesMax) return;
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
    int score = open.connection == arrival.attempt->connection ? kSameConnection : 0;
    if (arrival.announced.retries == open.attempts) score += kCounterFits;
    return score;
  }

  void remember(std::size_t group, const Arrival& arrival) {
    Open& open = open_[group];
    const Attempt& attempt = *arrival.attempt;
    if (open.waits_in != nullptr) open.waits_in->erase({open.since, group});
    const Seen seen = seen_of(attempt);
    const bool is_redirect = seen.answered() && seen.status / 100 == 3;
    open.over = is_redirect || (seen.success() && seen.status != 202);
    open.since = seen.from.value_or(kNever);
    open.until =
        seen.from
            ? saturating_add(*seen.from, patience(run_, attempt, *seen.from, options_.longest_wait))
            : kNever;
    open.connection = attempt.connection;
    if (open.attempts > 0 && open.key != arrival.key()) open.keeps_its_key = false;
    ++open.attempts;
    open.key = arrival.key();
    open.body = arrival.print.body;
    open.waits_in = nullptr;
    if (arrival.key() != 0) by_key_[arrival.key()] = group;
    last_by_request_[arrival.print.request] = group;
    if (is_redirect && !attempt.planned.location.empty()) {
      by_location_[origin_form(attempt.planned.location)] = group;
    }
    if (!seen.from || open.over) return;
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
  std::vector<OperationGroup> groups_;
  std::vector<Open> open_;  // by group
  std::map<Grouping, std::unordered_map<std::string_view, std::size_t>> by_name_;
  std::unordered_map<std::uint32_t, std::size_t> by_listener_;
  std::unordered_map<std::uint64_t, std::size_t> by_key_;
  std::unordered_map<std::string_view, std::size_t> by_location_;
  std::unordered_map<std::uint64_t, std::size_t> last_by_request_;
  std::unordered_map<std::pair<std::uint64_t, std::uint64_t>, Waiting, PrintHash> by_print_;
};

// Groups that were parted stand at the end: back to the order of their first attempts.
void sort_by_first(std::vector<OperationGroup>& groups, const Run& run) {
  std::ranges::stable_sort(groups, {}, [&run](const OperationGroup& group) {
    return run.attempts[group.attempts.front()].first_byte;
  });
}

}  // namespace

std::vector<OperationGroup> group_operations(const Run& run, const GroupingOptions& options) {
  std::vector<std::pair<Instant, std::size_t>> order;
  order.reserve(run.attempts.size());
  for (std::size_t i = 0; i < run.attempts.size(); ++i) {
    if (is_in_an_operation(run.attempts[i])) order.emplace_back(run.attempts[i].first_byte, i);
  }
  if (!std::ranges::is_sorted(order)) std::ranges::sort(order);
  Grouper grouper(run, options);
  for (const auto& [at, index] : order) grouper.place(index);
  std::vector<OperationGroup> groups = grouper.take();
  sort_by_first(groups, run);
  return groups;
}

std::string_view word(Grouping grouping) {
  switch (grouping) {
    case Grouping::one_process:
      return "one_process";
    case Grouping::scenario:
      return "scenario";
    case Grouping::invocation_header:
      return "invocation_header";
    case Grouping::fingerprint:
      return "fingerprint";
    case Grouping::fingerprint_and_key:
      return "fingerprint_and_key";
  }
  return "";
}

}  // namespace retrylab::journal
