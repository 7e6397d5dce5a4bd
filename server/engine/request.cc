// SPDX-License-Identifier: MIT
#include "server/engine/request.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "client_lib/base/http.h"

namespace retrylab::engine {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<wire::HeaderView> split_headers(std::string_view raw) {
  std::vector<wire::HeaderView> headers;
  auto line_end = raw.find('\n');
  while (line_end != std::string_view::npos) {
    raw.remove_prefix(line_end + 1);
    line_end = raw.find('\n');
    const std::string_view line = raw.substr(0, line_end);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    headers.push_back({line.substr(0, colon), trimmed(line.substr(colon + 1))});
  }
  return headers;
}

int hex_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

// application/x-www-form-urlencoded; a "%" that starts no pair of digits stays.
std::string form_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
    if (text[i] == '%' && high >= 0 && low >= 0) {
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      decoded += text[i] == '+' ? ' ' : text[i];
    }
  }
  return decoded;
}

}  // namespace

struct Request::Json {
  nlohmann::json value;

  const nlohmann::json* at(std::string_view pointer) const {
    if (value.is_discarded()) return nullptr;
    try {
      const nlohmann::json::json_pointer place{std::string(pointer)};
      return value.contains(place) ? &value.at(place) : nullptr;
    } catch (const nlohmann::json::exception&) {
      return nullptr;
    }
  }
};

Request::Request(const wire::RequestHead& head)
    : method_(head.method), target_(head.target), headers_(head.headers), headers_known_(true) {
  split_target();
}

Request::Request(std::string_view method, std::string_view target, std::string_view raw_head)
    : method_(method), target_(target), raw_head_(raw_head) {
  split_target();
}

Request::~Request() = default;

// RFC 9112 §3.2: origin-form, absolute-form, authority-form and "*" stay as they are.
void Request::split_target() {
  std::string_view rest = target_;
  if (!rest.starts_with('/')) {
    const auto scheme_end = rest.find("://");
    if (scheme_end != std::string_view::npos) {
      rest.remove_prefix(scheme_end + 3);
      const auto authority_end = rest.find_first_of("/?");
      rest = authority_end == std::string_view::npos ? std::string_view("/")
                                                     : rest.substr(authority_end);
    }
  }
  const auto question = rest.find('?');
  path_ = rest.substr(0, question);
  if (path_.empty()) path_ = "/";
  if (question != std::string_view::npos) query_ = rest.substr(question + 1);
}

std::span<const wire::HeaderView> Request::headers() const {
  if (!headers_known_) {
    split_ = split_headers(raw_head_);
    headers_ = split_;
    headers_known_ = true;
  }
  return headers_;
}

std::optional<std::string_view> Request::header(std::string_view name) const {
  for (const wire::HeaderView& header : headers()) {
    if (header.name.size() == name.size() && same_name(header.name, name)) return header.value;
  }
  return std::nullopt;
}

std::optional<std::string> Request::query_value(std::string_view name) const {
  std::string_view rest = query_;
  while (!rest.empty()) {
    const auto end = rest.find('&');
    const std::string_view pair = rest.substr(0, end);
    const auto equals = pair.find('=');
    if (form_decoded(pair.substr(0, equals)) == name) {
      return equals == std::string_view::npos ? std::string()
                                              : form_decoded(pair.substr(equals + 1));
    }
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return std::nullopt;
}

const Request::Json& Request::json() const {
  if (!json_) {
    json_ = std::make_unique<Json>(Json{nlohmann::json::parse(body(), nullptr, false)});
  }
  return *json_;
}

std::optional<std::string> Request::body_member(std::string_view pointer) const {
  const nlohmann::json* member = json().at(pointer);
  if (member == nullptr) return std::nullopt;
  if (member->is_string()) return member->get<std::string>();
  return member->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool Request::body_member_equals(std::string_view pointer, std::string_view json_text) const {
  const nlohmann::json* member = json().at(pointer);
  return member != nullptr && *member == nlohmann::json::parse(json_text, nullptr, false);
}

}  // namespace retrylab::engine
