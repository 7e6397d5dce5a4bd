// SPDX-License-Identifier: MIT
// "headers": {"X-A": "1"}, or [["X-A", "1"], ["X-A", "2"]] for duplicates, exact order and case.
#include <array>
#include <utility>

#include <fmt/format.h>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

constexpr std::string_view kLineBreaks("\r\n\0", 3);

// A line break is good only where it folds the line: RFC 9112 §5.2.
bool breaks_message(std::string_view value) {
  for (auto at = value.find_first_of(kLineBreaks); at != std::string_view::npos;
       at = value.find_first_of(kLineBreaks, at + 2)) {
    const std::string_view fold = value.substr(at, 3);
    if (fold != "\r\n " && fold != "\r\n\t") return true;
  }
  return false;
}

// The wire's own: two of them that disagree are a framing fault, not a header.
constexpr std::array<std::string_view, 2> kOfFraming{"Content-Length", "Transfer-Encoding"};

bool check_name(json::Place place, const std::string& pointer, std::string_view name,
                Mistakes& mistakes) {
  if (!json::is_token(name)) {
    mistakes.add(place, pointer,
                 fmt::format("{} is not a header name such as \"Retry-After\"", json::quote(name)));
    return false;
  }
  for (const std::string_view reserved : kOfFraming) {
    if (!same_name(name, reserved)) continue;
    mistakes.add(place, pointer,
                 fmt::format("{} follows from \"framing\" and the body; leave it out", reserved));
    return false;
  }
  return true;
}

std::optional<Template> read_value(const Node& node, Mistakes& mistakes) {
  auto value = read_template(node, mistakes);
  if (value && breaks_message(node.text)) {
    mistakes.add(node,
                 "a header value has no CR, LF or NUL, unless CR LF and a blank fold the line; "
                 "bytes that break a message are \"garbage\"");
    return std::nullopt;
  }
  return value;
}

void add_pair(const Node& pair, std::vector<HeaderTemplate>& headers, Mistakes& mistakes) {
  if (pair.kind != Node::Kind::array || pair.items.size() != 2 ||
      pair.items[0].kind != Node::Kind::string) {
    return json::expected(pair, "a pair such as [\"X-Name\", \"value\"]", mistakes);
  }
  const Node& name = pair.items[0];
  const bool good = check_name(name.place, name.pointer, name.text, mistakes);
  auto value = read_value(pair.items[1], mistakes);
  if (good && value) headers.push_back({name.text, std::move(*value)});
}

}  // namespace

std::optional<std::vector<HeaderTemplate>> read_headers(const Node& node, Mistakes& mistakes) {
  std::vector<HeaderTemplate> headers;
  if (node.kind == Node::Kind::array) {
    for (const Node& pair : node.items) add_pair(pair, headers, mistakes);
    return headers;
  }
  if (node.kind != Node::Kind::object) {
    json::expected(node, "an object {\"X-Name\": \"value\"} or a list of pairs", mistakes);
    return std::nullopt;
  }
  for (const json::Member& member : node.members) {
    const bool good = check_name(member.place, member.value.pointer, member.name, mistakes);
    auto value = read_value(member.value, mistakes);
    if (good && value) headers.push_back({member.name, std::move(*value)});
  }
  return headers;
}

}  // namespace retrylab::scenario::decode
