// SPDX-License-Identifier: MIT
#include <array>

#include "server/verify/profiles/all.h"

namespace retrylab::verify::profiles {
namespace {

constexpr std::array kRetried{429, 502, 503, 504};
constexpr std::array<RuleTake, 18> kTakes{{{"CLS-*", Take::off},
                                           {"CLS-3", Take::rule},
                                           {"RA-2", Take::off},
                                           {"RA-8", Take::advice},
                                           {"RA-9", Take::off},
                                           {"RA-10", Take::off},
                                           {"RA-14", Take::off},
                                           {"BO-*", Take::advice},
                                           {"BO-1", Take::rule},
                                           {"AT-8", Take::off},
                                           {"ID-1", Take::off},
                                           {"ID-2", Take::off},
                                           {"ID-6", Take::off},
                                           {"ID-7", Take::off},
                                           {"CONN-*", Take::off},
                                           {"HERD-*", Take::off},
                                           {"BU-*", Take::advice},
                                           {"CB-*", Take::advice}}};

}  // namespace

constinit const Profile kCore{
    .name = "core",
    .about =
        "What is wrong whatever one thinks of retrying: early against a Retry-After, stopped "
        "or stuck by a malformed one, on after success or deadline, a changed key or body.",
    .source = "RFC 9110, draft-ietf-httpapi-idempotency-key-header",
    .sides =
        "It does not ask that anything be retried, nor how the client waits by itself. What to do "
        "when asked to wait an hour or more is contested, and advice: sleeping through it obeys "
        "the server, a limit to it is what many clients document.",
    .retried = kRetried,
    .takes = kTakes,
    .retry_after_max = std::chrono::seconds(8),
};

}  // namespace retrylab::verify::profiles
