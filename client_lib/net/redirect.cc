// SPDX-License-Identifier: MIT
#include "client_lib/net/redirect.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace retrylab {
namespace {

void drop(Headers& headers, std::initializer_list<std::string_view> names) {
  std::erase_if(headers, [names](const Header& header) {
    return std::ranges::any_of(names,
                               [&](std::string_view name) { return same_name(header.name, name); });
  });
}

bool becomes_get(int status, std::string_view method) {
  if (status == 303) return method != "GET" && method != "HEAD";
  return (status == 301 || status == 302) && method == "POST";
}

}  // namespace

bool follow_redirect(const Response& response, Request& request, Url& url) {
  const auto location = find_header(response.headers, "Location");
  if (!location) return false;
  const Result<Url> next = resolve_reference(url, *location);
  if (!next || (url.tls && !next->tls)) return false;
  if (becomes_get(response.status, request.method)) {
    request.method = "GET";
    request.body.clear();
    request.body_source.reset();
    drop(request.headers, {"Content-Type", "Content-Encoding"});
  }
  if (next->origin() != url.origin()) {
    drop(request.headers, {"Authorization", "Cookie", "Proxy-Authorization"});
  }
  request.url = next->text();
  url = *next;
  return true;
}

}  // namespace retrylab
