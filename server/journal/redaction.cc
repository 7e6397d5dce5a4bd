// SPDX-License-Identifier: MIT
#include "server/journal/redaction.h"

#include <algorithm>
#include <utility>

#include "client_lib/base/http.h"
#include "client_lib/base/sha256.h"

namespace retrylab::journal {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// The case of a letter does not count; other bytes share bits, which costs a comparison.
std::uint32_t initial(char letter) {
  return 1U << (static_cast<unsigned char>(letter) & 31U);
}

// The end of the line that begins at `from`, its folded lines included, behind the line feed.
std::size_t end_of_line(std::string_view head, std::size_t from) {
  for (std::size_t at = from;;) {
    const std::size_t feed = head.find('\n', at);
    if (feed == std::string_view::npos) return head.size();
    at = feed + 1;
    if (at == head.size() || (head[at] != ' ' && head[at] != '\t')) return at;
  }
}

}  // namespace

Redaction::Redaction(std::vector<std::string> more, std::string key)
    : names_(std::move(more)), key_(std::move(key)) {
  for (const char* name : {"Authorization", "Proxy-Authorization", "Cookie"}) {
    names_.emplace_back(name);
  }
  std::erase_if(names_, [](const std::string& name) { return name.empty(); });
  for (const std::string& name : names_) initials_ |= initial(name.front());
}

Redaction Redaction::none() {
  Redaction redaction;
  redaction.names_.clear();
  redaction.initials_ = 0;
  return redaction;
}

bool Redaction::hides(std::string_view line) const {
  if (line.empty() || (initials_ & initial(line.front())) == 0) return false;
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view name = line.substr(0, line.find_last_not_of(kBlanks, colon - 1) + 1);
  return std::ranges::any_of(names_, [&](const auto& hidden) { return same_name(hidden, name); });
}

bool Redaction::finds_any(std::string_view head) const {
  if (initials_ == 0) return false;
  std::size_t at = head.find('\n');  // the request line
  while (at != std::string_view::npos && ++at < head.size()) {
    const std::size_t end = end_of_line(head, at);
    if (hides(head.substr(at, end - at))) return true;
    at = end - 1;
  }
  return false;
}

void Redaction::apply(std::string& head) const {
  if (initials_ == 0) return;
  std::size_t at = head.find('\n');  // the request line
  while (at != std::string::npos && ++at < head.size()) {
    const std::size_t end = end_of_line(head, at);
    const std::size_t length = head.size();
    if (hides(std::string_view(head).substr(at, end - at))) replace_value(head, at, end);
    at = end + (head.size() - length) - 1;
  }
}

void Redaction::replace_value(std::string& head, std::size_t from, std::size_t until) const {
  const std::string_view line = std::string_view(head).substr(from, until - from);
  const std::size_t begin = line.find_first_not_of(kBlanks, line.find(':') + 1);
  if (begin == std::string_view::npos) return;
  const std::size_t end = line.find_last_not_of(kBlanks) + 1;
  const std::string value(line.substr(begin, end - begin));
  const std::string digest = to_hex(sha256(key_ + value)).substr(0, 16);
  head.replace(from + begin, end - begin, "redacted:" + digest);
}

}  // namespace retrylab::journal
