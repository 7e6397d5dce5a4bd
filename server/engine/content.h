// SPDX-License-Identifier: MIT
// What becomes of a body before it is framed: coded with gzip (RFC 9110 §8.4), or reduced to the
// part that the request asked for (§14).
#pragma once

#include "server/engine/reply.h"
#include "server/engine/request.h"
#include "server/scenario/scenario.h"

namespace retrylab::engine {

// The body as gzip, with the flaw that the scenario wants; adds Content-Encoding.
void encode(Reply& reply, const scenario::Encoding& encoding);

// A 200 becomes a 206 or 416 when the request has a Range that it can be asked for, and its
// If-Range, if any, names the ETag of the answer. One range; with several the whole is sent.
void reduce_to_range(Reply& reply, scenario::Ranges ranges, const Request& request);

}  // namespace retrylab::engine
