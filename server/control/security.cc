// SPDX-License-Identifier: MIT
#include "server/control/security.h"

#include <openssl/crypto.h>

#include <algorithm>

#include <fmt/format.h>
#include <boost/asio/ip/address.hpp>

#include "client_lib/base/http.h"
#include "client_lib/base/sha256.h"

namespace retrylab::control {
namespace {

// "name" of "name:port", "::1" of "[::1]:80".
std::string_view host_of(std::string_view authority) {
  if (authority.starts_with('[')) {
    const auto end = authority.find(']');
    return end == std::string_view::npos ? "" : authority.substr(1, end - 1);
  }
  return authority.substr(0, authority.find(':'));
}

bool is_address(std::string_view host) {
  boost::system::error_code error;
  boost::asio::ip::make_address(std::string(host), error);
  return !error;
}

bool is_known_host(std::string_view host, const Security& security) {
  if (is_address(host) || same_name(host, "localhost")) return true;
  return std::ranges::any_of(security.hosts,
                             [&](const auto& known) { return same_name(known, host); });
}

std::optional<Problem> check_host(const Request& request, const Security& security) {
  const std::string authority = request.header("Host");
  if (count_header(request.headers, "Host") == 1 && is_known_host(host_of(authority), security)) {
    return std::nullopt;
  }
  return Problem{Problem::Type::forbidden_host,
                 fmt::format("Host is \"{}\": use the address or localhost, or name it with "
                             "--admin-host",
                             authority)};
}

// A browser sends Origin with every request that changes something or reads another site, and
// Sec-Fetch-Site with all; other clients send neither.
std::optional<Problem> check_origin(const Request& request) {
  const auto origin = find_header(request.headers, "Origin");
  const std::string own = "http://" + request.header("Host");
  // Over https where something with TLS stands before this server.
  const bool is_own = origin && (*origin == own || *origin == "https" + own.substr(4));
  const bool same = !origin || (is_own && count_header(request.headers, "Origin") == 1);
  const std::string site = request.header("Sec-Fetch-Site");
  const bool changes = request.method != "GET" && request.method != "HEAD";
  const bool foreign = changes && !site.empty() && site != "same-origin" && site != "none";
  if (same && !foreign) return std::nullopt;
  return Problem{
      Problem::Type::forbidden_origin,
      fmt::format("the request comes from {}, not from {}", origin ? *origin : site, own)};
}

bool needs_token(const Request& request) {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  const bool is_page = request.path == "/" || request.path.starts_with("/page/");
  return !reads || !(is_page || request.path == "/health");
}

// Takes as long for a near miss as for a far one: hashes of equal length are compared.
bool same_secret(std::string_view left, std::string_view right) {
  const Sha256 a = sha256(left);
  const Sha256 b = sha256(right);
  return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::optional<Problem> check_token(const Request& request, const std::string& token) {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string given = request.header("Authorization");
  if (given.size() > kScheme.size() &&
      same_name(std::string_view(given).substr(0, kScheme.size()), kScheme) &&
      same_secret(std::string_view(given).substr(kScheme.size()), token)) {
    return std::nullopt;
  }
  return Problem{.type = Problem::Type::token_required,
                 .detail =
                     "send \"Authorization: Bearer TOKEN\" with the token of "
                     "--admin-token-file",
                 .headers = {{"WWW-Authenticate", "Bearer realm=\"retrylab admin\""}}};
}

}  // namespace

std::optional<Problem> refuse(const Request& request, const Security& security) {
  if (auto refused = check_host(request, security)) return refused;
  if (auto refused = check_origin(request)) return refused;
  if (security.token && needs_token(request)) return check_token(request, *security.token);
  return std::nullopt;
}

bool is_loopback(std::string_view address) {
  boost::system::error_code error;
  const auto parsed = boost::asio::ip::make_address(std::string(address), error);
  return !error && parsed.is_loopback();
}

}  // namespace retrylab::control
