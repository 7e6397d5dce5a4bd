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

constinit const Profile kAwsStandard20{
    .name = "aws-standard-2.0",
    .about =
        "The standard retry mode of the AWS SDKs before 2026: three attempts, full jitter "
        "from 1 s, cap 20 s.",
    .source = "AWS SDKs and Tools Reference, retry behavior (standard mode)",
    .sides =
        "It reads x-amz-retry-after and not Retry-After. A POST is repeated without a key: "
        "the services deduplicate by other means.",
    .retried = kRetried,
    .takes = kTakes,
    .backoff = {.base = std::chrono::seconds(1),
                .cap = std::chrono::seconds(20),
                .band = Band{0, 1000}},
    .attempts = 3,
    .outage = OutageBudget{.transient = 100, .throttling = 100},
    .long_wait = LongWait::clamp,
    .retry_after_max = std::chrono::seconds(20),
};

}  // namespace retrylab::verify::profiles
