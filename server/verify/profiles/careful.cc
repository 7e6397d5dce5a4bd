// SPDX-License-Identifier: MIT
#include <array>

#include "server/verify/profiles/all.h"

namespace retrylab::verify::profiles {
namespace {

constexpr std::array kRetried{429, 502, 503, 504};
constexpr std::array<RuleTake, 1> kTakes{{{"CLS-9", Take::off}}};

}  // namespace

constinit const Profile kCareful{
    .name = "careful",
    .about =
        "Everything that good practice asks: selective, jittered, Retry-After first, capped, "
        "and never a second effect.",
    .source = "RFC 9110, RFC 6585, draft-ietf-httpapi-idempotency-key-header, the SRE book",
    .sides =
        "A POST without a key is not repeated, not even after 429 or 503. 500 and 408 may be "
        "repeated and need not be. Retry-After 0 and dates in the past mean the client's own "
        "wait, or none. A wait that is too long is given up, never shortened. A single first "
        "retry at once is advice, since full jitter does so too; often enough it is a "
        "failure.",
    .retried = kRetried,
    .takes = kTakes,
    // The longest wait of the usual careful client: beyond it, it gives up.
    .retry_after_max = std::chrono::seconds(8),
};

}  // namespace retrylab::verify::profiles
