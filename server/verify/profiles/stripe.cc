// SPDX-License-Identifier: MIT
#include <array>

#include "server/verify/profiles/all.h"

namespace retrylab::verify::profiles {
namespace {

constexpr std::array kRetried{409, 500, 502, 503, 504};
constexpr std::array<RuleTake, 3> kTakes{
    {{"BO-3", Take::off}, {"BO-4", Take::off}, {"RA-8", Take::off}}};

}  // namespace

constinit const Profile kStripe{
    .name = "stripe",
    .about =
        "Stripe's libraries: a key with every POST, equal jitter from 500 ms, and the "
        "server's Stripe-Should-Retry above all statuses.",
    .source = "Stripe API reference, idempotent requests and low-level error handling",
    .sides =
        "409 is repeated. A Retry-After above 60 s is replaced by the own backoff. The first "
        "wait is always 500 ms, without jitter.",
    .retried = kRetried,
    .takes = kTakes,
    .backoff = {.base = std::chrono::milliseconds(500), .band = Band{500, 1000}},
    .long_wait = LongWait::replace,
    .retry_after_max = std::chrono::seconds(60),
};

}  // namespace retrylab::verify::profiles
