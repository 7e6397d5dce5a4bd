// SPDX-License-Identifier: MIT
// libcpp-httplib makes OpenSSL ready as soon as it is loaded: a sixth of this program's start and a
// megabyte, for TLS that most runs never speak. The program has that call to itself and puts it off
// until somebody needs TLS (docs/decisions/0090-a-quick-start.md).
#pragma once

namespace retrylab::cli {

// At the beginning of main(): from here on OpenSSL is made ready when it is asked to.
void allow_openssl();

}  // namespace retrylab::cli
