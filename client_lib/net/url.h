// SPDX-License-Identifier: MIT
// An absolute http or https URL, split (RFC 3986, RFC 9110 §4.2). Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "client_lib/base/result.h"

namespace retrylab {

struct Url {
  bool tls = false;  // https
  std::string host;  // lower case; an IPv6 literal without its brackets
  std::uint16_t port = 80;
  std::string target;  // origin-form: path and query, never empty, no fragment

  // "http://host:port": what a connection, a breaker and a cookie belong to.
  std::string origin() const;
  // "host" or "host:port", for the Host field.
  std::string authority() const;
  std::string text() const;

  friend bool operator==(const Url&, const Url&) = default;
};

//   url = ("http" | "https") "://" host [ ":" port ] [ "/" ... ] [ "?" ... ] [ "#" ... ]
// User information, other schemes, blanks and control characters are errors.
Result<Url> parse_url(std::string_view text);

// A Location against the URL it came from: absolute, scheme-relative, absolute path, relative
// path or query (RFC 3986 §5.2, dot segments removed).
Result<Url> resolve_reference(const Url& base, std::string_view reference);

}  // namespace retrylab
