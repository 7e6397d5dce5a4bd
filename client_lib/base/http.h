// SPDX-License-Identifier: MIT
// HTTP message values: what a client sends and what it gets back. No parsing, no sockets.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace retrylab {

struct Header {
  std::string name;   // as written
  std::string value;  // without surrounding blanks

  friend bool operator==(const Header&, const Header&) = default;
};

// In the order of the wire; a name may occur more than once.
using Headers = std::vector<Header>;

// ASCII, regardless of case: header names (RFC 9110 §5.1).
bool same_name(std::string_view left, std::string_view right);

// The first value of that name, or nothing.
std::optional<std::string_view> find_header(const Headers& headers, std::string_view name);

// How many headers have that name.
int count_header(const Headers& headers, std::string_view name);

struct Response {
  int status = 0;
  Headers headers{};
  std::string body{};

  friend bool operator==(const Response&, const Response&) = default;
};

// GET, HEAD, OPTIONS, TRACE (RFC 9110 §9.2.1). Methods are case-sensitive.
bool is_safe_method(std::string_view method);

// The safe ones, PUT and DELETE (RFC 9110 §9.2.2).
bool is_idempotent_method(std::string_view method);

// The standard reason phrase, or "" for an unknown status.
std::string_view reason_phrase(int status);

}  // namespace retrylab
