// SPDX-License-Identifier: MIT
#include <array>

#include "server/verify/profiles/all.h"

namespace retrylab::verify::profiles {
namespace {

constexpr std::array kRetried{500, 502, 503, 504};
constexpr std::array<int, 1> kMayBeRetried{409};  // retriable-4xx
constexpr std::array<RuleTake, 3> kTakes{
    {{"CLS-9", Take::off}, {"ID-1", Take::off}, {"ID-2", Take::off}}};

}  // namespace

constinit const Profile kEnvoy{
    .name = "envoy",
    .about =
        "A proxy's retries: one by default, fully jittered from 25 ms up to 250 ms, and up "
        "to half as long again as a Retry-After asks.",
    .source = "Envoy, HTTP router filter and rate_limited_retry_back_off",
    .sides =
        "A Retry-After above 300 s is discarded. Whether a POST is repeated is configured, "
        "so it is not judged.",
    .retried = kRetried,
    .may_be_retried = kMayBeRetried,
    .takes = kTakes,
    .backoff = {.base = std::chrono::milliseconds(25),
                .cap = std::chrono::milliseconds(250),
                .band = Band{0, 1000}},
    .attempts = 2,
    .long_wait = LongWait::replace,
    .retry_after_max = std::chrono::seconds(300),
};

}  // namespace retrylab::verify::profiles
