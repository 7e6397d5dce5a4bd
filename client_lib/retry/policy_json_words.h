// SPDX-License-Identifier: MIT
// The words of the JSON form of a policy, shared by its reader and its writer. Private to them.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "client_lib/retry/policy.h"

namespace retrylab {

inline constexpr std::array<std::pair<std::string_view, Jitter>, 5> kJitters{
    {{"none", Jitter::none},
     {"full", Jitter::full},
     {"equal", Jitter::equal},
     {"decorrelated", Jitter::decorrelated},
     {"proportional", Jitter::proportional}}};
inline constexpr std::array<std::pair<std::string_view, bool>, 2> kFirstCeilings{
    {{"base", false}, {"double", true}}};
inline constexpr std::array<std::pair<std::string_view, bool>, 2> kFirstRetries{
    {{"wait", false}, {"at_once", true}}};
inline constexpr std::array<std::pair<std::string_view, RetryAfterRule>, 4> kRules{
    {{"honour_or_fail", RetryAfterRule::honour_or_fail},
     {"honour_or_back_off", RetryAfterRule::honour_or_back_off},
     {"clamp", RetryAfterRule::clamp},
     {"ignore", RetryAfterRule::ignore}}};
inline constexpr std::array<std::pair<std::string_view, ShouldRetryHint>, 3> kHints{
    {{"ignore", ShouldRetryHint::ignore},
     {"heed_no", ShouldRetryHint::heed_no},
     {"heed", ShouldRetryHint::heed}}};
inline constexpr std::array<std::pair<std::string_view, bool WaitHeaders::*>, 6> kWaitHeaders{
    {{"retry-after", &WaitHeaders::retry_after},
     {"retry-after-ms", &WaitHeaders::retry_after_ms},
     {"x-amz-retry-after", &WaitHeaders::x_amz_retry_after},
     {"grpc-retry-pushback-ms", &WaitHeaders::grpc_retry_pushback},
     {"ratelimit", &WaitHeaders::ratelimit},
     {"x-ratelimit-reset", &WaitHeaders::x_ratelimit_reset}}};
inline constexpr std::array<std::pair<std::string_view, RetryWindowPolicy::Of>, 2> kOf{
    {{"first_tries", RetryWindowPolicy::Of::first_tries},
     {"all_attempts", RetryWindowPolicy::Of::all_attempts}}};

}  // namespace retrylab
