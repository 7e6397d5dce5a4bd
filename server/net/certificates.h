// SPDX-License-Identifier: MIT
// A certificate authority, made on the spot or given, and the certificates that a test server
// shows.
#pragma once

#include <string>
#include <string_view>

#include "client_lib/base/result.h"

namespace retrylab::net {

// PEM texts.
struct Identity {
  std::string certificate;
  std::string key;
};

// What a client is shown. All of one authority, but `untrusted`.
struct Identities {
  std::string authority;  // the certificate that clients have to trust
  Identity right;         // for 127.0.0.1, ::1 and localhost, good for a day
  Identity untrusted;     // the same names, of an authority that nobody knows
  Identity expired;       // the same names, until yesterday
  Identity wrong_host;    // for another name
};

// New keys each time. Errors: ErrorCode::machine with what the library said.
Result<Identities> make_identities();

// Signed by an authority of the caller: `pem` holds its certificate and its private key, in any
// order. Errors: ErrorCode::invalid_argument with an empty place when one of them is missing, they
// do not belong together, or the certificate is not an authority's; else as above.
Result<Identities> make_identities(std::string_view pem);

}  // namespace retrylab::net
