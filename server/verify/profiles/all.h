// SPDX-License-Identifier: MIT
// Every profile, one file each.
#pragma once

#include "server/verify/profile.h"

namespace retrylab::verify::profiles {

extern const Profile kCareful;
extern const Profile kCore;
extern const Profile kAwsStandard20;
extern const Profile kAwsStandard21;
extern const Profile kGrpc;
extern const Profile kEnvoy;
extern const Profile kStripe;
extern const Profile kOpenai;

}  // namespace retrylab::verify::profiles
