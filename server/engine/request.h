// SPDX-License-Identifier: MIT
// A request as the engine's parts look at it: target split, headers by name, body members by JSON
// pointer. A view: what it was made from outlives it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/wire/request.h"

namespace retrylab::engine {

class Request {
 public:
  // While the head's event lasts: the edge's own header views.
  explicit Request(const wire::RequestHead& head);
  // Later: headers are split again out of the raw head, and only when somebody asks.
  Request(std::string_view method, std::string_view target, std::string_view raw_head);
  ~Request();
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  std::string_view method() const { return method_; }
  // Absolute-form targets without scheme and authority; never decoded.
  std::string_view path() const { return path_; }
  std::string_view target() const { return target_; }

  // The first value of that name.
  std::optional<std::string_view> header(std::string_view name) const;
  // The first value of that query parameter, percent-decoded, "+" read as a blank.
  std::optional<std::string> query_value(std::string_view name) const;

  void set_body(std::string_view body) { body_ = body; }
  bool has_body() const { return body_.has_value(); }
  std::string_view body() const { return body_.value_or(std::string_view()); }

  // The body member at an RFC 6901 pointer: a string as it is, anything else as compact JSON.
  // Nothing when the body is not JSON or has no such member.
  std::optional<std::string> body_member(std::string_view pointer) const;
  // The member exists and equals `json`, compared as values.
  bool body_member_equals(std::string_view pointer, std::string_view json) const;

 private:
  struct Json;  // the parsed body, made on first use
  void split_target();
  std::span<const wire::HeaderView> headers() const;
  const Json& json() const;

  std::string_view method_;
  std::string_view target_;
  std::string_view path_;
  std::string_view query_;
  std::string_view raw_head_;
  mutable std::span<const wire::HeaderView> headers_;
  mutable std::vector<wire::HeaderView> split_;
  mutable bool headers_known_ = false;
  std::optional<std::string_view> body_;
  mutable std::unique_ptr<Json> json_;
};

}  // namespace retrylab::engine
