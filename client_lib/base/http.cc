// SPDX-License-Identifier: MIT
#include "client_lib/base/http.h"

#include <algorithm>
#include <array>
#include <utility>

namespace retrylab {
namespace {

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// RFC 9110 §15 and the registrations that clients meet.
constexpr std::array<std::pair<int, std::string_view>, 54> kReasons{{
    {100, "Continue"},
    {101, "Switching Protocols"},
    {102, "Processing"},
    {103, "Early Hints"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {203, "Non-Authoritative Information"},
    {204, "No Content"},
    {205, "Reset Content"},
    {206, "Partial Content"},
    {300, "Multiple Choices"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {407, "Proxy Authentication Required"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {423, "Locked"},
    {424, "Failed Dependency"},
    {425, "Too Early"},
    {426, "Upgrade Required"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {451, "Unavailable For Legal Reasons"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {507, "Insufficient Storage"},
    {511, "Network Authentication Required"},
}};

}  // namespace

bool same_name(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, {}, lower, lower);
}

std::optional<std::string_view> find_header(const Headers& headers, std::string_view name) {
  for (const Header& header : headers) {
    if (same_name(header.name, name)) return header.value;
  }
  return std::nullopt;
}

int count_header(const Headers& headers, std::string_view name) {
  return static_cast<int>(std::ranges::count_if(
      headers, [name](const Header& header) { return same_name(header.name, name); }));
}

bool is_safe_method(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "TRACE";
}

bool is_idempotent_method(std::string_view method) {
  return is_safe_method(method) || method == "PUT" || method == "DELETE";
}

std::string_view reason_phrase(int status) {
  const auto* found = std::ranges::find(kReasons, status, &std::pair<int, std::string_view>::first);
  return found == kReasons.end() ? std::string_view() : found->second;
}

}  // namespace retrylab
