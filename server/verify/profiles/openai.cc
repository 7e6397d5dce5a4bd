// SPDX-License-Identifier: MIT
#include <array>

#include "server/verify/profiles/all.h"

namespace retrylab::verify::profiles {
namespace {

constexpr std::array kRetried{408, 409, 429, 500, 502, 503, 504};
constexpr std::array<RuleTake, 3> kTakes{
    {{"RA-8", Take::off}, {"ID-1", Take::advice}, {"ID-2", Take::off}}};

}  // namespace

constinit const Profile kOpenai{
    .name = "openai",
    .about =
        "The OpenAI and Anthropic libraries: waits between 75% and 100% of 500 ms, doubled "
        "up to 8 s, retry-after-ms and Retry-After first.",
    .source = "openai-python and anthropic-sdk-python, _calculate_retry_timeout",
    .sides =
        "A Retry-After above 60 s is replaced by the own backoff. 408, 409 and every 5xx are "
        "repeated, also for POST without a key. x-should-retry decides above all statuses.",
    .retried = kRetried,
    .takes = kTakes,
    .backoff = {.base = std::chrono::milliseconds(500),
                .cap = std::chrono::seconds(8),
                .band = Band{750, 1000}},
    .long_wait = LongWait::replace,
    .retry_after_max = std::chrono::seconds(60),
};

}  // namespace retrylab::verify::profiles
