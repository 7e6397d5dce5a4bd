// SPDX-License-Identifier: MIT
// "retry_after": "5s", or {"date": "+5s", "format": "imf"}.
#include <string>

#include "client_lib/base/duration_text.h"
#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

// "+5s" or "-5s".
std::optional<Duration> read_offset(const Node& node, Mistakes& mistakes) {
  const std::string& text = node.text;
  const bool is_signed =
      node.kind == Node::Kind::string && text.size() > 1 && (text[0] == '+' || text[0] == '-');
  if (is_signed) {
    const auto wait = parse_duration(std::string_view(text).substr(1));
    if (wait) return text[0] == '-' ? -*wait : *wait;
  }
  json::expected(node, "a signed offset from now, such as \"+5s\" or \"-1h\"", mistakes);
  return std::nullopt;
}

}  // namespace

std::optional<RetryAfter> read_retry_after(const Node& node, Mistakes& mistakes) {
  RetryAfter result;
  if (node.kind == Node::Kind::string) {
    const auto wait = json::read_duration(node, mistakes);
    if (!wait) return std::nullopt;
    result.wait = *wait;
    return result;
  }
  if (node.kind != Node::Kind::object) {
    json::expected(node,
                   "a duration such as \"5s\" or {\"date\": \"+5s\"}; a raw value goes into "
                   "\"headers\"",
                   mistakes);
    return std::nullopt;
  }
  ObjectReader reader(node, "a Retry-After date", mistakes);
  result.date = DateFormat::imf;
  reader.required("date", result.wait, read_offset);
  reader.optional("format", result.date, json::one_of(date_format_words()));
  return result;
}

}  // namespace retrylab::scenario::decode
