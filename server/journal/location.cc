// SPDX-License-Identifier: MIT
#include "server/journal/location.h"

#include <algorithm>
#include <vector>

namespace retrylab::journal {
namespace {

// From the end of the authority on, which begins at `from`.
std::string after_authority(std::string_view text, std::size_t from) {
  const auto end = text.find_first_of("/?", from);
  if (end == std::string_view::npos) return "/";
  return text[end] == '?' ? "/" + std::string(text.substr(end)) : std::string(text.substr(end));
}

// Where the authority begins; npos: there is none.
std::size_t authority_of(std::string_view text) {
  if (text.starts_with("//")) return 2;
  const auto scheme = text.find("://");
  const bool has_scheme = scheme != std::string_view::npos && text.find_first_of("/?") > scheme;
  return has_scheme ? scheme + 3 : std::string_view::npos;
}

// Without "." and ".." (RFC 3986 §5.2.4); the query stays.
std::string without_dots(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  std::vector<std::string_view> kept;
  for (std::size_t from = 1; from <= path.size();) {
    const std::size_t end = std::min(path.find('/', from), path.size());
    const std::string_view part = path.substr(from, end - from);
    const bool is_last = end == path.size();
    if (part == "..") {
      if (!kept.empty()) kept.pop_back();
    } else if (part != ".") {
      kept.push_back(part);
    }
    if (is_last && (part == "." || part == "..")) kept.push_back("");
    from = end + 1;
  }
  std::string text;
  for (const std::string_view part : kept) text.append("/").append(part);
  if (text.empty()) text = "/";
  return text.append(target.substr(path.size()));
}

}  // namespace

std::string origin_form(std::string_view target) {
  const auto authority = target.starts_with('/') ? std::string_view::npos : authority_of(target);
  return authority == std::string_view::npos ? std::string(target)
                                             : after_authority(target, authority);
}

std::string resolved(std::string_view target, std::string_view location) {
  location = location.substr(0, location.find('#'));
  const auto authority = authority_of(location);
  if (authority != std::string_view::npos)
    return without_dots(after_authority(location, authority));
  if (location.starts_with('/')) return without_dots(location);
  const std::string base = origin_form(target);
  if (location.empty()) return base;
  const std::string path = base.substr(0, base.find('?'));
  if (location.starts_with('?')) return path + std::string(location);
  return without_dots(path.substr(0, path.rfind('/') + 1) + std::string(location));
}

}  // namespace retrylab::journal
