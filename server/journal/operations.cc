// SPDX-License-Identifier: MIT
#include "server/journal/operations.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "client_lib/retry/retry_after.h"
#include "server/journal/seen.h"

namespace retrylab::journal {
namespace {

constexpr std::array<std::string_view, 2> kInvocationHeaders{"X-Op-Id", "amz-sdk-invocation-id"};
constexpr std::array<std::string_view, 3> kRetryCounters{
    "grpc-previous-rpc-attempts", "X-Retry-Attempt", "x-stainless-retry-count"};
// How many waiting operations are looked at for the one that fits best.
constexpr std::size_t kCandidatesMax = 16;

std::optional<std::uint64_t> leading_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

std::optional<std::string_view> invocation_of(const Attempt& attempt) {
  for (const std::string_view header : kInvocationHeaders) {
    if (auto value = attempt.header(header); value && !value->empty()) return value;
  }
  return std::nullopt;
}

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

// Method, target and body; without a body that was read whole, the first two.
std::string fingerprint_of(const Attempt& attempt) {
  std::string print = attempt.method;
  print.append(" ").append(attempt.target);
  if (!attempt.body_sha256) return print;
  print.push_back('\0');
  for (const std::uint8_t byte : *attempt.body_sha256) print.push_back(static_cast<char>(byte));
  return print;
}

// For how long after its answer an attempt may still be followed by a retry.
Duration patience(const Run& run, const Attempt& attempt, Instant known, Duration longest_wait) {
  const WallTime received = run.wall_origin + known.time_since_epoch();
  const RetryAfter asked = find_retry_after(attempt.planned.retry_after, received);
  return asked.wait > kForever - longest_wait ? kForever : asked.wait + longest_wait;
}

// Groups the attempts of one run, one after the other in order of arrival.
class Grouper {
 public:
  Grouper(const Run& run, const GroupingOptions& options) : run_(run), options_(options) {}

  void place(std::size_t index) {
    const Attempt& attempt = run_.attempts[index];
    const std::size_t group = group_for(attempt);
    groups_[group].attempts.push_back(index);
    if (groups_[group].by >= Grouping::fingerprint) remember(group, attempt);
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
    std::string key;
    std::optional<Sha256> body;
  };

  struct Candidate {
    std::size_t group = 0;
    int score = -1;
  };

  std::size_t group_for(const Attempt& attempt) {
    if (options_.one_per_process && run_.one_process) return named("", Grouping::one_process);
    if (options_.one_per_process && run_.processes > 1) {
      return named(std::to_string(attempt.listener), Grouping::one_process);
    }
    if (!attempt.operation.empty()) return named(attempt.operation, Grouping::scenario);
    if (const auto invocation = invocation_of(attempt)) {
      return named(*invocation, Grouping::invocation_header);
    }
    if (const auto group = redirected(attempt)) return *group;
    return by_fingerprint(attempt);
  }

  std::size_t named(std::string_view name, Grouping by) {
    auto [found, is_new] = by_name_[by].try_emplace(std::string(name), groups_.size());
    if (is_new) start(std::string(name), by);
    return found->second;
  }

  std::size_t start(std::string name, Grouping by) {
    groups_.push_back({.name = std::move(name), .by = by});
    open_.emplace_back();
    return groups_.size() - 1;
  }

  // The operation whose last answer sent the client here.
  std::optional<std::size_t> redirected(const Attempt& attempt) {
    if (by_location_.empty()) return std::nullopt;
    const auto found = by_location_.find(std::string(origin_form(attempt.target)));
    if (found == by_location_.end() || !is_open_for(found->second, attempt)) return std::nullopt;
    const std::size_t group = found->second;
    by_location_.erase(found);
    return group;
  }

  std::size_t by_fingerprint(const Attempt& attempt) {
    std::vector<Candidate> candidates = waiting_for(attempt);
    const auto best = std::ranges::max_element(candidates, {}, &Candidate::score);
    if (const auto holder = holder_of_key(attempt)) {
      const bool is_plain = candidates.size() == 1 && best->group == *holder;
      if (!is_plain) groups_[*holder].by = Grouping::fingerprint_and_key;
      return *holder;
    }
    if (best == candidates.end() || announced_retries(attempt) == 0) {
      return start("", Grouping::fingerprint);
    }
    if (is_told_apart_by_key(open_[best->group], attempt, candidates.size())) {
      groups_[best->group].by = Grouping::fingerprint_and_key;
      return start("", Grouping::fingerprint_and_key);
    }
    if (candidates.size() > 1 && best->score < kCounterFits) groups_[best->group].certain = false;
    return best->group;
  }

  // The operation that has used this key, unless it is over and this is another request: then
  // the client uses a key twice.
  std::optional<std::size_t> holder_of_key(const Attempt& attempt) const {
    if (attempt.key.empty()) return std::nullopt;
    const auto found = by_key_.find(attempt.key);
    if (found == by_key_.end()) return std::nullopt;
    const Open& open = open_[found->second];
    const bool is_other = open.body && attempt.body_sha256 && *open.body != *attempt.body_sha256;
    if (is_other && open.over && open.since <= attempt.first_byte) return std::nullopt;
    return found->second;
  }

  // Another key is a new operation where the old one has shown that it keeps its own, or where
  // several wait. Where one attempt waits, it may as well be a client that changes its key.
  static bool is_told_apart_by_key(const Open& open, const Attempt& attempt, std::size_t waiting) {
    if (attempt.key.empty() || open.key.empty() || attempt.key == open.key) return false;
    return waiting > 1 || (open.keeps_its_key && open.attempts > 1);
  }

  bool is_open_for(std::size_t group, const Attempt& attempt) const {
    return open_[group].since <= attempt.first_byte && attempt.first_byte <= open_[group].until;
  }

  std::vector<Candidate> waiting_for(const Attempt& attempt) {
    std::vector<Candidate> candidates;
    const std::string print = fingerprint_of(attempt);
    collect(by_print_[print], attempt, candidates);
    const std::string request = attempt.method + ' ' + attempt.target;
    if (candidates.empty() && request != print) collect(by_print_[request], attempt, candidates);
    if (!candidates.empty() || request != print) return candidates;
    // This body never came whole: the last one to ask for the same is the likeliest.
    const auto last = last_by_request_.find(request);
    if (last != last_by_request_.end() && !open_[last->second].over &&
        is_open_for(last->second, attempt)) {
      candidates.push_back({last->second, 0});
    }
    return candidates;
  }

  void collect(Waiting& waiting, const Attempt& attempt, std::vector<Candidate>& candidates) {
    for (auto at = waiting.begin(); at != waiting.end() && at->first <= attempt.first_byte;) {
      if (candidates.size() == kCandidatesMax) return;
      if (!is_open_for(at->second, attempt)) {
        open_[at->second].waits_in = nullptr;
        at = waiting.erase(at);
        continue;
      }
      candidates.push_back({at->second, score_of(open_[at->second], attempt)});
      ++at;
    }
  }

  static constexpr int kCounterFits = 4;
  static constexpr int kSameConnection = 2;

  // How well an attempt continues an operation; among equals the one that waits longest is first.
  static int score_of(const Open& open, const Attempt& attempt) {
    int score = open.connection == attempt.connection ? kSameConnection : 0;
    const auto retries = announced_retries(attempt);
    if (retries && *retries == open.attempts) score += kCounterFits;
    return score;
  }

  void remember(std::size_t group, const Attempt& attempt) {
    Open& open = open_[group];
    if (open.waits_in != nullptr) open.waits_in->erase({open.since, group});
    const Seen seen = seen_of(attempt);
    const bool is_redirect = seen.answered() && seen.status / 100 == 3;
    open.over = is_redirect || (seen.success() && seen.status != 202);
    open.since = seen.from.value_or(kNever);
    open.until = saturating_add(
        open.since,
        seen.from ? patience(run_, attempt, *seen.from, options_.longest_wait) : Duration(0));
    open.connection = attempt.connection;
    if (open.attempts > 0 && open.key != attempt.key) open.keeps_its_key = false;
    ++open.attempts;
    open.key = attempt.key;
    open.body = attempt.body_sha256;
    open.waits_in = nullptr;
    if (!attempt.key.empty()) by_key_[attempt.key] = group;
    last_by_request_[attempt.method + ' ' + attempt.target] = group;
    if (is_redirect && !attempt.planned.location.empty()) {
      by_location_[std::string(origin_form(attempt.planned.location))] = group;
    }
    if (!seen.from || open.over) return;
    open.waits_in = &by_print_[fingerprint_of(attempt)];
    open.waits_in->emplace(open.since, group);
  }

  const Run& run_;
  const GroupingOptions& options_;
  std::vector<OperationGroup> groups_;
  std::vector<Open> open_;  // by group
  std::map<Grouping, std::unordered_map<std::string, std::size_t>> by_name_;
  std::unordered_map<std::string, std::size_t> by_key_;
  std::unordered_map<std::string, std::size_t> by_location_;
  std::unordered_map<std::string, std::size_t> last_by_request_;
  std::unordered_map<std::string, Waiting> by_print_;
};

}  // namespace

std::vector<OperationGroup> group_operations(const Run& run, const GroupingOptions& options) {
  std::vector<std::size_t> order;
  order.reserve(run.attempts.size());
  for (std::size_t i = 0; i < run.attempts.size(); ++i) {
    if (is_in_an_operation(run.attempts[i])) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&run](std::size_t i) { return run.attempts[i].first_byte; });
  Grouper grouper(run, options);
  for (const std::size_t index : order) grouper.place(index);
  return grouper.take();
}

std::optional<std::uint64_t> announced_retries(const Attempt& attempt) {
  for (const std::string_view header : kRetryCounters) {
    if (const auto value = attempt.header(header)) return leading_number(*value);
  }
  constexpr std::string_view kPrefix = "attempt=";
  const auto value = attempt.header("amz-sdk-request");
  if (!value || !value->starts_with(kPrefix)) return std::nullopt;
  const auto number = leading_number(value->substr(kPrefix.size()));
  if (!number || *number == 0) return std::nullopt;
  return *number - 1;
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
