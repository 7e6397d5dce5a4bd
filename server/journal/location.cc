// SPDX-License-Identifier: MIT
#include "server/journal/location.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace retrylab::journal {
namespace {

bool is_unreserved(char letter) {
  const auto is_in = [letter](char from, char to) { return letter >= from && letter <= to; };
  return is_in('a', 'z') || is_in('A', 'Z') || is_in('0', '9') || letter == '-' || letter == '.' ||
         letter == '_' || letter == '~';
}

std::optional<char> escaped(std::string_view triple) {
  unsigned code = 0;
  if (triple.size() < 3 || triple[0] != '%') return std::nullopt;
  const auto [end, error] = std::from_chars(triple.data() + 1, triple.data() + 3, code, 16);
  if (error != std::errc() || end != triple.data() + 3) return std::nullopt;
  return static_cast<char>(code);
}

// "/%62%2f" is "/b%2F" (RFC 3986 §6.2.2): of the many ways to write a target, one.
std::string normalized(std::string_view text) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::optional<char> letter = escaped(text.substr(i, 3));
    if (letter && is_unreserved(*letter)) {
      made.push_back(*letter);
    } else if (letter) {
      constexpr std::string_view kHex = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(*letter);
      made.append({'%', kHex[byte / 16], kHex[byte % 16]});
    } else {
      made.push_back(text[i]);
      continue;
    }
    i += 2;
  }
  return made;
}

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
  if (authority == std::string_view::npos) return normalized(target);
  return normalized(after_authority(target, authority));
}

std::string resolved(std::string_view target, std::string_view location) {
  const std::string place = normalized(location.substr(0, location.find('#')));
  const auto authority = authority_of(place);
  if (authority != std::string_view::npos) return without_dots(after_authority(place, authority));
  if (place.starts_with('/')) return without_dots(place);
  const std::string base = origin_form(target);
  if (place.empty()) return base;
  const std::string path = base.substr(0, base.find('?'));
  if (place.starts_with('?')) return path + place;
  return without_dots(path.substr(0, path.rfind('/') + 1) + place);
}

}  // namespace retrylab::journal
