// SPDX-License-Identifier: MIT
// The value of an idempotency key header.
#pragma once

#include <string_view>

namespace retrylab::engine {

// A structured-field string (RFC 9651 §3.3.3) and nothing else: DQUOTE, printable ASCII with \"
// and \\ as the only escapes, DQUOTE. What the draft wants; a bare UUID is none.
bool is_quoted_key(std::string_view value);

}  // namespace retrylab::engine
