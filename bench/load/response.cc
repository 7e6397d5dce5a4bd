// SPDX-License-Identifier: MIT
#include "bench/load/response.h"

#include <fmt/core.h>
#include <strings.h>

#include <charconv>

namespace retrylab::load {
namespace {

constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr std::string_view kLastChunk = "0\r\n\r\n";

bool starts_with_ignoring_case(std::string_view line, std::string_view name) {
  return line.size() >= name.size() && ::strncasecmp(line.data(), name.data(), name.size()) == 0;
}

std::size_t number_in(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  std::size_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

struct Length {
  bool chunked = false;
  std::optional<std::size_t> bytes;
};

Length body_length(std::string_view head) {
  constexpr std::string_view kLength = "content-length:";
  constexpr std::string_view kCoding = "transfer-encoding:";
  Length result;
  for (std::size_t at = head.find('\n'); at != std::string_view::npos; at = head.find('\n', at)) {
    const std::string_view line = head.substr(++at);
    if (starts_with_ignoring_case(line, kLength))
      result.bytes = number_in(line.substr(kLength.size()));
    if (starts_with_ignoring_case(line, kCoding)) result.chunked = true;
  }
  return result;
}

}  // namespace

bool ResponseReader::complete(std::string_view all) {
  const std::size_t end = all.find(kHeadEnd);
  if (end == std::string_view::npos) return false;
  status_ = static_cast<int>(number_in(all.substr(0, end).substr(9, 3)));
  if (status_ == 204 || status_ == 304) return true;
  const Length length = body_length(all.substr(0, end));
  has_length_ = length.chunked || length.bytes;
  const std::string_view body = all.substr(end + kHeadEnd.size());
  if (length.chunked) return body.ends_with(kLastChunk);
  return length.bytes && body.size() >= *length.bytes;
}

bool ResponseReader::feed(std::string_view bytes) {
  if (pending_.empty() && complete(bytes)) return true;
  pending_ += bytes;
  return complete(pending_);
}

void ResponseReader::restart() {
  pending_.clear();
  status_ = 0;
  has_length_ = false;
}

std::string make_request(std::string_view method, std::string_view path, std::string_view extra,
                         std::string_view body) {
  const std::string length =
      body.empty() ? std::string() : fmt::format("Content-Length: {}\r\n", body.size());
  return fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n{}{}\r\n{}", method, path, extra, length,
                     body);
}

}  // namespace retrylab::load
