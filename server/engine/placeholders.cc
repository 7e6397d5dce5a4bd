// SPDX-License-Identifier: MIT
#include "server/engine/placeholders.h"

#include <algorithm>

#include <fmt/format.h>

#include "client_lib/base/http_date.h"

namespace retrylab::engine {
namespace {

using scenario::Placeholder;
using Kind = scenario::Placeholder::Kind;
using NowForm = scenario::Placeholder::NowForm;

std::string now_text(const Placeholder& placeholder, WallTime now) {
  const WallTime time = now + placeholder.offset;
  const auto since_epoch = whole_second_up(time).time_since_epoch();
  switch (placeholder.form) {
    case NowForm::imf:
      return format_http_date(whole_second_up(time), DateFormat::imf);
    case NowForm::rfc850:
      return format_http_date(whole_second_up(time), DateFormat::rfc850);
    case NowForm::asctime:
      return format_http_date(whole_second_up(time), DateFormat::asctime);
    case NowForm::epoch:
      return std::to_string(since_epoch / std::chrono::seconds(1));
    case NowForm::epoch_ms:
      return std::to_string(time.time_since_epoch() / std::chrono::milliseconds(1));
  }
  return {};
}

std::string value_of(const Placeholder& placeholder, const PlaceholderValues& values) {
  const Request& request = values.request;
  switch (placeholder.kind) {
    case Kind::resource_id:
      return std::string(values.resource_id);
    case Kind::attempt:
      return std::to_string(values.attempt);
    case Kind::request_method:
      return std::string(request.method());
    case Kind::request_path:
      return std::string(request.path());
    case Kind::request_query:
      return request.query_value(placeholder.argument).value_or("");
    case Kind::request_header:
      return std::string(request.header(placeholder.argument).value_or(""));
    case Kind::request_body:
      return std::string(request.body());
    case Kind::run_url:
      return std::string(values.run_url);
    case Kind::now:
      return now_text(placeholder, values.now);
  }
  return {};
}

void append_json_escaped(std::string& out, std::string_view text) {
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      out += '\\';
      out += letter;
    } else if (code < 0x20) {
      out += fmt::format("\\u{:04x}", code);
    } else {
      out += letter;
    }
  }
}

void append_placed(std::string& out, std::string_view value, Place place) {
  switch (place) {
    case Place::header:
      for (const char letter : value) {
        out += letter == '\r' || letter == '\n' || letter == '\0' ? ' ' : letter;
      }
      break;
    case Place::body:
      out += value;
      break;
    case Place::json_body:
      append_json_escaped(out, value);
      break;
  }
}

bool mentions_body(const scenario::Template& text) {
  return std::ranges::any_of(text.pieces, [](const scenario::TemplatePiece& piece) {
    const auto* placeholder = std::get_if<Placeholder>(&piece);
    return placeholder != nullptr && placeholder->kind == Kind::request_body;
  });
}

bool mentions_body(const std::vector<scenario::HeaderTemplate>& headers) {
  return std::ranges::any_of(
      headers, [](const scenario::HeaderTemplate& header) { return mentions_body(header.value); });
}

bool mentions_body(const scenario::Body& body) {
  return body.text && mentions_body(*body.text);
}

}  // namespace

bool mentions_request_body(const scenario::Step& step) {
  if (mentions_body(step.headers) || (step.body && mentions_body(*step.body))) return true;
  const auto* executed =
      step.executes ? std::get_if<scenario::ExecutedAnswer>(&*step.executes) : nullptr;
  if (executed != nullptr && (mentions_body(executed->headers) || mentions_body(executed->body))) {
    return true;
  }
  return step.otherwise && mentions_request_body(*step.otherwise);
}

void append_filled(std::string& out, const scenario::Template& text,
                   const PlaceholderValues& values, Place place) {
  for (const scenario::TemplatePiece& piece : text.pieces) {
    if (const auto* literal = std::get_if<std::string>(&piece)) {
      out += *literal;
    } else {
      append_placed(out, value_of(std::get<Placeholder>(piece), values), place);
    }
  }
}

WallTime whole_second_up(WallTime time) {
  return WallTime(std::chrono::ceil<std::chrono::seconds>(time.time_since_epoch()));
}

std::int64_t whole_seconds_up(Duration wait) {
  return std::max<std::int64_t>(0, std::chrono::ceil<std::chrono::seconds>(wait).count());
}

}  // namespace retrylab::engine
