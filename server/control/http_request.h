// SPDX-License-Identifier: MIT
// httplib's request as ours. For server.cc.
#pragma once

#include <httplib.h>

#include "server/control/message.h"

namespace retrylab::control {

// Without its body.
Request to_request(const httplib::Request& request);

// The whole body, or that it is larger than 4 MB; false when it never came whole. Of a larger one
// 64 MB are read, so that its sender gets to read why not.
bool read_body(const httplib::Request& from, const httplib::ContentReader& reader, Request& to);

inline constexpr std::size_t kBodyDrainedMax = 64'000'000;

}  // namespace retrylab::control
