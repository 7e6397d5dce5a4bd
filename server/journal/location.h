// SPDX-License-Identifier: MIT
// Where a Location sends a client (RFC 9110 §10.2.2, RFC 3986 §5.2), as the target of its next
// request. A letter that is written as %XX is that letter (RFC 3986 §6.2.2).
#pragma once

#include <string>
#include <string_view>

namespace retrylab::journal {

// The path and query of a target: "http://host:1/a?b" and "/a?b" are the same.
std::string origin_form(std::string_view target);

// The origin form of `location`, sent in answer to a request for `target`: with a scheme, with a
// host alone ("//host/a"), from the root, from the folder of the target ("../b"), or a query alone.
std::string resolved(std::string_view target, std::string_view location);

}  // namespace retrylab::journal
