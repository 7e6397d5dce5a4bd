// SPDX-License-Identifier: MIT
// What a request becomes when it follows a redirect (RFC 9110 §15.4). Pure.
#pragma once

#include <optional>

#include "client_lib/base/http.h"
#include "client_lib/net/request.h"
#include "client_lib/net/url.h"

namespace retrylab {

// Turns `request`, which was sent to `url`, into the one that `response` asks for. 303 turns
// every method but HEAD into GET, 301 and 302 turn POST into GET, both without body; 307
// and 308 keep everything. Going to another origin drops Authorization, Cookie and
// Proxy-Authorization. False, and nothing changed: no usable Location, or one that leads from
// https to http.
bool follow_redirect(const Response& response, Request& request, Url& url);

}  // namespace retrylab
