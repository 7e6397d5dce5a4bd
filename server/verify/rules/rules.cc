// SPDX-License-Identifier: MIT
#include "server/verify/rules/rules.h"

#include <algorithm>
#include <array>

#include "server/verify/rules/all.h"

namespace retrylab::verify {
namespace {

using namespace rules;  // NOLINT(google-build-using-namespace): the table is its contents

// clang-format off
constexpr std::array kRules{
    &kCls1,
    &kCls2,
    &kCls3,
    &kCls4,
    &kCls5,
    &kCls6,
    &kCls7,
    &kCls8,
    &kCls9,
    &kCls10,
    &kRa1,
    &kRa2,
    &kRa3,
    &kRa4,
    &kRa5,
    &kRa6,
    &kRa7,
    &kRa8,
    &kRa9,
    &kRa10,
    &kRa11,
    &kRa12,
    &kRa13,
    &kRa14,
    &kBo1,
    &kBo2,
    &kBo3,
    &kBo4,
    &kBo5,
    &kBo6,
    &kBo7,
    &kBo8,
    &kBo9,
    &kBo10,
    &kAt1,
    &kAt2,
    &kAt3,
    &kAt4,
    &kAt5,
    &kAt6,
    &kAt7,
    &kAt8,
    &kId1,
    &kId2,
    &kId3,
    &kId4,
    &kId5,
    &kId6,
    &kId7,
    &kId8,
    &kId9,
    &kId10,
    &kConn1,
    &kBu1,
    &kBu2,
    &kBu3,
    &kBu4,
    &kCb1,
    &kCb2,
    &kCb3,
    &kCb4,
    &kCb5,
    &kCb6,
    &kTh1,
    &kHerd1,
    &kHerd2,
    &kHerd3,
    &kHerd4,
    // Plain expectations.
    &kAttempts,
    &kOperations,
    &kCreated,
    &kTotalTime,
    &kLastStatus,
    &kRetryAfter,
    &kNeverRetry,
    &kIdempotencyKey,
    &kRoutes,
    &kRequests,
    &kClient,
    &kConnections,
    &kConcurrency,
    &kUnmatched,
    &kTraffic};
// clang-format on

}  // namespace

std::span<const Rule* const> all_rules() {
  return kRules;
}

const Rule* find_rule(std::string_view id) {
  const auto* found = std::ranges::find(kRules, id, &Rule::id);
  return found == kRules.end() ? nullptr : *found;
}

}  // namespace retrylab::verify
