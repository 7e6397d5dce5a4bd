// SPDX-License-Identifier: MIT
#include "client_lib/net/url.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace retrylab {
namespace {

tl::unexpected<Error> bad(std::string_view text, std::string_view why) {
  return fail(ErrorCode::invalid_argument, "url",
              "\"" + std::string(text) + "\" is not a usable URL: " + std::string(why));
}

bool printable(char letter) {
  return letter > ' ' && letter < 0x7f;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

std::uint16_t default_port(bool tls) {
  return tls ? 443 : 80;
}

// Splits "host", "host:port", "[v6]" and "[v6]:port".
bool split_authority(std::string_view authority, Url& url) {
  std::string_view port;
  if (authority.starts_with('[')) {
    const auto end = authority.find(']');
    if (end == std::string_view::npos) return false;
    url.host = lower(authority.substr(1, end - 1));
    authority.remove_prefix(end + 1);
    if (!authority.empty() && authority.front() != ':') return false;
    port = authority.empty() ? authority : authority.substr(1);
  } else {
    const auto colon = authority.find(':');
    url.host = lower(authority.substr(0, colon));
    if (colon != std::string_view::npos) port = authority.substr(colon + 1);
  }
  url.port = default_port(url.tls);
  if (port.empty()) return !url.host.empty();
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
  return error == std::errc() && end == port.data() + port.size() && !url.host.empty();
}

std::string_view without_fragment(std::string_view text) {
  return text.substr(0, text.find('#'));
}

// RFC 3986 §5.2.4, on a path that begins with "/".
std::string remove_dot_segments(std::string_view path) {
  std::vector<std::string_view> kept;
  bool ends_in_folder = false;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    ends_in_folder = segment == "." || segment == "..";
    if (segment == ".." && !kept.empty()) kept.pop_back();
    if (!ends_in_folder) kept.push_back(segment);
  }
  std::string result;
  for (const std::string_view segment : kept) result.append("/").append(segment);
  if (ends_in_folder || result.empty()) result += '/';
  return result;
}

}  // namespace

std::string Url::authority() const {
  const std::string name = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return port == default_port(tls) ? name : name + ":" + std::to_string(port);
}

std::string Url::origin() const {
  return (tls ? "https://" : "http://") + authority();
}

std::string Url::text() const {
  return origin() + target;
}

Result<Url> parse_url(std::string_view text) {
  if (!std::ranges::all_of(text, printable))
    return bad(text, "it has blanks or control characters");
  const auto scheme_end = text.find("://");
  if (scheme_end == std::string_view::npos) return bad(text, "write http://HOST or https://HOST");
  const std::string scheme = lower(text.substr(0, scheme_end));
  if (scheme != "http" && scheme != "https") return bad(text, "only http and https are spoken");
  Url url;
  url.tls = scheme == "https";
  const std::string_view rest = without_fragment(text.substr(scheme_end + 3));
  const auto target_at = std::min(rest.find_first_of("/?"), rest.size());
  const std::string_view authority = rest.substr(0, target_at);
  if (authority.find('@') != std::string_view::npos) {
    return bad(text, "user information does not belong in a URL (RFC 9110 §4.2.4)");
  }
  if (!split_authority(authority, url)) return bad(text, "its host or port is wrong");
  url.target = rest.substr(target_at);
  if (!url.target.starts_with('/')) url.target.insert(0, 1, '/');
  return url;
}

Result<Url> resolve_reference(const Url& base, std::string_view reference) {
  if (!std::ranges::all_of(reference, printable)) {
    return bad(reference, "it has blanks or control characters");
  }
  const std::string_view text = without_fragment(reference);
  const auto colon = text.find(':');
  if (colon != std::string_view::npos && colon < text.find_first_of("/?")) return parse_url(text);
  if (text.starts_with("//")) return parse_url((base.tls ? "https:" : "http:") + std::string(text));
  Url url = base;
  const std::string_view base_path = std::string_view(base.target).substr(0, base.target.find('?'));
  if (text.empty()) return url;
  if (text.starts_with('?')) {
    url.target = std::string(base_path) + std::string(text);
    return url;
  }
  const auto query_at = std::min(text.find('?'), text.size());
  std::string path(text.substr(0, query_at));
  if (!path.starts_with('/')) {
    path = std::string(base_path.substr(0, base_path.rfind('/') + 1)) + path;
  }
  url.target = remove_dot_segments(path) + std::string(text.substr(query_at));
  return url;
}

}  // namespace retrylab
