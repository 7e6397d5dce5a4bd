// SPDX-License-Identifier: MIT
// Undoes Content-Encoding: gzip and checks it to the last byte.
#pragma once

#include <cstddef>

#include "client_lib/base/http.h"
#include "client_lib/retry/outcome.h"

namespace retrylab {

// Replaces the body of an answered outcome by what it decodes to and drops Content-Encoding and
// Content-Length. A stream that is cut, has a wrong checksum or bytes after its end makes the
// outcome truncated or malformed; one that decodes to more than `bytes_max` too_large; a coding
// other than gzip, x-gzip and identity malformed. An empty body is left alone (HEAD, 204, 304).
void decode_content(Outcome& outcome, std::size_t bytes_max);

}  // namespace retrylab
