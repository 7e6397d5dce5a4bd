// SPDX-License-Identifier: MIT
#include "server/engine/reply.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "client_lib/base/http.h"
#include "client_lib/base/http_date.h"

namespace retrylab::engine {
namespace {

// Headers by which some servers say when, or whether, to come back.
constexpr std::array<std::string_view, 8> kHints{
    "retry-after-ms",  "x-amz-retry-after", "grpc-retry-pushback-ms", "ratelimit",
    "ratelimit-reset", "x-ratelimit-reset", "x-should-retry",         "stripe-should-retry"};

bool is_hint(std::string_view name) {
  return std::ranges::any_of(kHints, [name](std::string_view one) {
    return one.size() == name.size() && same_name(one, name);
  });
}

void note_meaning(Reply& reply, std::string_view name, std::string_view value) {
  if (same_name(name, "Retry-After")) {
    reply.retry_after.emplace_back(value);
  } else if (same_name(name, "Location")) {
    reply.location = value;
  } else if (same_name(name, "ETag")) {
    reply.etag = value;
  } else if (same_name(name, "Date")) {
    reply.has_date = true;
  } else if (same_name(name, "Connection")) {
    reply.has_connection = true;
    reply.closes = reply.closes || same_name(value, "close");
  } else if (is_hint(name)) {
    const bool should = same_name(name, "x-should-retry") || same_name(name, "Stripe-Should-Retry");
    if (should) reply.should_retry_false = value == "false";
    reply.hints.push_back({std::string(name), std::string(value)});
  }
}

// Adds the templates' lines; says whether one of them is a Content-Type.
bool add_lines(Reply& reply, const std::vector<scenario::HeaderTemplate>& headers,
               const PlaceholderValues& values) {
  bool has_type = false;
  for (const scenario::HeaderTemplate& header : headers) {
    std::string& lines = reply.header_lines;
    lines += header.name;
    lines += ": ";
    const std::size_t value_at = lines.size();
    append_filled(lines, header.value, values, Place::header);
    note_meaning(reply, header.name, std::string_view(lines).substr(value_at));
    lines += "\r\n";
    has_type = has_type || same_name(header.name, "Content-Type");
  }
  return has_type;
}

void append_lines(std::string& lines, const std::vector<scenario::HeaderTemplate>& headers,
                  const PlaceholderValues& values) {
  for (const scenario::HeaderTemplate& header : headers) {
    lines.append(header.name).append(": ");
    append_filled(lines, header.value, values, Place::header);
    lines.append("\r\n");
  }
}

void set_body(Reply& reply, const scenario::Body& body, bool has_type,
              const PlaceholderValues& values) {
  if (body.bytes) {
    reply.shared_body = body.bytes;
  } else if (body.text) {
    append_filled(reply.text, *body.text, values,
                  body.escapes_json ? Place::json_body : Place::body);
  }
  if (!has_type && !body.content_type.empty()) {
    reply.add_header("Content-Type", body.content_type);
  }
}

std::string retry_after_text(const scenario::RetryAfter& retry_after, WallTime now) {
  if (!retry_after.date) return std::to_string(whole_seconds_up(retry_after.wait));
  return format_http_date(whole_second_up(now + retry_after.wait), *retry_after.date);
}

}  // namespace

void Reply::add_header(std::string_view name, std::string_view value) {
  header_lines.append(name).append(": ").append(value).append("\r\n");
  note_meaning(*this, name, value);
}

Reply step_reply(const scenario::Step& step, const PlaceholderValues& values) {
  Reply reply;
  reply.status = step.status.value_or(200);
  reply.reason = step.reason.empty() ? reason_phrase(reply.status) : step.reason;
  const bool has_type = add_lines(reply, step.headers, values);
  if (step.retry_after) {
    reply.add_header("Retry-After", retry_after_text(*step.retry_after, values.now));
  }
  if (step.body) set_body(reply, *step.body, has_type, values);
  append_lines(reply.trailer_lines, step.framing.trailers, values);
  return reply;
}

std::string interim_bytes(const scenario::Interim& interim, const PlaceholderValues& values) {
  std::string bytes = "HTTP/1.1 " + std::to_string(interim.status) + " ";
  bytes.append(reason_phrase(interim.status)).append("\r\n");
  append_lines(bytes, interim.headers, values);
  return bytes.append("\r\n");
}

Reply executed_reply(const scenario::ExecutedAnswer& answer, const PlaceholderValues& values) {
  Reply reply;
  reply.status = answer.status;
  reply.reason = reason_phrase(answer.status);
  const bool has_type = add_lines(reply, answer.headers, values);
  set_body(reply, answer.body, has_type, values);
  return reply;
}

Reply problem_reply(int status, std::string_view title, const std::string& detail,
                    const std::vector<std::string>& near_misses) {
  nlohmann::ordered_json problem{{"title", title}, {"status", status}, {"detail", detail}};
  if (!near_misses.empty()) problem["near_misses"] = near_misses;
  Reply reply;
  reply.status = status;
  reply.reason = reason_phrase(status);
  reply.text = problem.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  reply.add_header("Content-Type", "application/problem+json");
  return reply;
}

Duration announced_wait(const scenario::RetryAfter& retry_after, WallTime now) {
  if (retry_after.date) return whole_second_up(now + retry_after.wait) - now;
  return std::chrono::seconds(whole_seconds_up(retry_after.wait));
}

}  // namespace retrylab::engine
