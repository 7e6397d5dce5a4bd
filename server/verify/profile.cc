// SPDX-License-Identifier: MIT
#include "server/verify/profile.h"

#include <algorithm>
#include <array>

#include "server/verify/profiles/all.h"

namespace retrylab::verify {
namespace {

constexpr std::array<const Profile*, 8> kProfiles{
    &profiles::kCareful, &profiles::kCore,  &profiles::kAwsStandard20, &profiles::kAwsStandard21,
    &profiles::kGrpc,    &profiles::kEnvoy, &profiles::kStripe,        &profiles::kOpenai};

// "BO-*" is the family; else the very id.
bool matches(std::string_view pattern, std::string_view id) {
  if (!pattern.ends_with('*')) return pattern == id;
  return id.starts_with(pattern.substr(0, pattern.size() - 1));
}

}  // namespace

std::span<const Profile* const> all_profiles() {
  return kProfiles;
}

const Profile* find_profile(std::string_view name) {
  if (name.empty()) return &profiles::kCareful;
  const auto* found = std::ranges::find(kProfiles, name, &Profile::name);
  return found == kProfiles.end() ? nullptr : *found;
}

Take take_of(const Profile& profile, std::string_view rule_id) {
  Take take = Take::rule;
  for (const RuleTake& one : profile.takes) {
    if (matches(one.id, rule_id)) take = one.take;
  }
  return take;
}

}  // namespace retrylab::verify
