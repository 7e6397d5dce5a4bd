// SPDX-License-Identifier: MIT
#include "server/control/http_request.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace retrylab::control {
namespace {

constexpr std::size_t kBodyMax = 4'000'000;

// httplib adds them to what the client sent.
constexpr std::array<std::string_view, 4> kAdded{"REMOTE_ADDR", "REMOTE_PORT", "LOCAL_ADDR",
                                                 "LOCAL_PORT"};

}  // namespace

Request to_request(const httplib::Request& request) {
  Request converted{.method = request.method, .path = request.path};
  for (const auto& [name, value] : request.params) converted.query.emplace_back(name, value);
  for (const auto& [name, value] : request.headers) {
    if (std::ranges::find(kAdded, name) == kAdded.end()) converted.headers.push_back({name, value});
  }
  return converted;
}

bool read_body(const httplib::Request& from, const httplib::ContentReader& reader, Request& to) {
  if (!from.has_header("Content-Length") && !from.has_header("Transfer-Encoding")) return true;
  std::size_t size = 0;
  const bool whole = reader([&](const char* data, std::size_t length) {
    size += length;
    if (size <= kBodyMax) to.body.append(data, length);
    return size <= kBodyDrainedMax;
  });
  to.body_too_large = size > kBodyMax;
  if (to.body_too_large) to.body.clear();
  return whole || to.body_too_large;
}

}  // namespace retrylab::control
