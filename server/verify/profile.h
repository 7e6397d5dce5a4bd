// SPDX-License-Identifier: MIT
// A profile: a named set of rules with parameters, as data. A scenario names one (`careful` when
// it names none) and overrides parts of it. Where good practice is contested, the profile takes a
// side and says which.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "client_lib/base/time.h"

namespace retrylab::verify {

// What a broken rule means under a profile.
enum class Take { rule, advice, off };

// `id` is a rule ("RA-2") or a family ("BO-*"); the last match counts.
struct RuleTake {
  std::string_view id;
  Take take = Take::rule;
};

// A wait before retry i is between low and high thousandths of its ceiling.
struct Band {
  std::int64_t low = 0;
  std::int64_t high = 1000;
  friend bool operator==(const Band&, const Band&) = default;
};

// How long a client waits by itself. Without a base it is not known in advance.
struct ProfileBackoff {
  std::optional<Duration> base;
  std::optional<Duration> cap;
  std::int64_t factor_thousandths = 2000;
  std::optional<Band> band;
};

// What a client does with a wait that it was asked for but will not sit through.
enum class LongWait {
  honour_or_fail,  // never comes back early
  clamp,           // comes back after `retry_after_max`
  replace,         // falls back to its own backoff beyond `retry_after_max`
};

// How many retries a client makes at most while everything fails.
struct OutageBudget {
  std::uint64_t transient = 0;
  std::uint64_t throttling = 0;
};

struct Profile {
  std::string_view name;
  std::string_view about;               // one sentence
  std::string_view source;              // where it is written
  std::string_view sides;               // what it decides where good practice is contested
  std::span<const int> retried;         // statuses that are retried
  std::span<const int> may_be_retried;  // statuses that CLS-2 would forbid but this client repeats
  std::span<const RuleTake> takes;      // what differs from "every rule as it is"
  ProfileBackoff backoff;
  std::optional<std::uint64_t> attempts;  // at most so many
  std::optional<OutageBudget> outage;
  LongWait long_wait = LongWait::honour_or_fail;
  // A client may give up rather than wait longer than this.
  Duration retry_after_max = std::chrono::seconds(60);
};

// In the order in which they are listed.
std::span<const Profile* const> all_profiles();

// Null for an unknown name. "" is careful.
const Profile* find_profile(std::string_view name);

Take take_of(const Profile& profile, std::string_view rule_id);

}  // namespace retrylab::verify
