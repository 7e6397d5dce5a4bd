// SPDX-License-Identifier: MIT
#include <array>

#include "server/verify/profiles/all.h"

namespace retrylab::verify::profiles {
namespace {

// What an HTTP status becomes without a grpc-status: UNAVAILABLE.
constexpr std::array kRetried{429, 502, 503, 504};
constexpr std::array<RuleTake, 6> kTakes{{{"RA-*", Take::off},
                                          {"CLS-9", Take::off},
                                          {"RA-12", Take::rule},
                                          {"RA-13", Take::rule},
                                          {"ID-1", Take::off},
                                          {"ID-2", Take::off}}};

}  // namespace

constinit const Profile kGrpc{
    .name = "grpc",
    .about =
        "Retries as gRPC's service config describes them: at most five attempts, each wait "
        "within 20% of its ceiling, pushback from the server first.",
    .source = "gRPC proposal A6",
    .sides =
        "The wait may exceed the cap by 20%. grpc-retry-pushback-ms decides, Retry-After is "
        "not read. Every call is a POST; which ones may be repeated is configured.",
    .retried = kRetried,
    .takes = kTakes,
    .backoff = {.band = Band{800, 1200}},
    .attempts = 5,
};

}  // namespace retrylab::verify::profiles
