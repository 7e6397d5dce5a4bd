// SPDX-License-Identifier: MIT
#include <array>

#include "server/verify/profiles/all.h"

namespace retrylab::verify::profiles {
namespace {

constexpr std::array kRetried{429, 500, 502, 503, 504};
constexpr std::array<RuleTake, 6> kTakes{{{"RA-*", Take::off},
                                          {"CLS-9", Take::off},
                                          {"RA-12", Take::rule},
                                          {"RA-13", Take::rule},
                                          {"ID-1", Take::off},
                                          {"ID-2", Take::off}}};

}  // namespace

constinit const Profile kAwsStandard21{
    .name = "aws-standard-2.1",
    .about =
        "The standard retry mode of the AWS SDKs since 2026: three attempts, full jitter "
        "from 50 ms (1 s when throttled), cap 20 s.",
    .source = "AWS SDKs and Tools Reference, retry behavior (2026 revision)",
    .sides =
        "It waits x-amz-retry-after for at most five seconds more than its own backoff, and "
        "does not read Retry-After. A POST is repeated without a key.",
    .retried = kRetried,
    .takes = kTakes,
    // The base depends on why it failed, so none is known in advance.
    .backoff = {.cap = std::chrono::seconds(20), .band = Band{0, 1000}},
    .attempts = 3,
    .outage = OutageBudget{.transient = 35, .throttling = 100},
    .long_wait = LongWait::clamp,
    .retry_after_max = std::chrono::seconds(5),
};

}  // namespace retrylab::verify::profiles
