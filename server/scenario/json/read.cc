// SPDX-License-Identifier: MIT
#include "server/scenario/json/read.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"

namespace retrylab::scenario::json {
namespace {

constexpr std::size_t kShownMax = 40;
constexpr std::size_t kLineMax = 1'000;

std::string shortened(std::string_view text) {
  if (text.size() <= kShownMax) return quote(text);
  std::size_t cut = kShownMax;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
  return quote(fmt::format("{}...", text.substr(0, cut)));
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}
bool is_control(char letter) {
  return static_cast<unsigned char>(letter) < 0x20 || letter == '\x7F';
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

// "1.25" with three places is 1250; nothing when it has more digits, a sign or an exponent.
std::optional<std::uint64_t> scaled_decimal(std::string_view text, std::size_t places) {
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string digits(text.substr(0, point));
  std::string fraction(text.substr(std::min(point + 1, text.size())));
  if (fraction.size() > places || !std::ranges::all_of(digits + fraction, is_digit)) {
    return std::nullopt;
  }
  fraction.resize(places, '0');
  return whole_number(digits + fraction);
}

}  // namespace

std::string found(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "null";
    case Node::Kind::boolean:
      return node.boolean ? "true" : "false";
    case Node::Kind::number:
      return fmt::format("the number {}", node.text);
    case Node::Kind::string:
      return fmt::format("the string {}", shortened(node.text));
    case Node::Kind::array:
      return node.items.empty() ? "an empty list" : "a list";
    case Node::Kind::object:
      return node.members.empty() ? "an empty object" : "an object";
  }
  return "";
}

void expected(const Node& node, std::string_view what, Mistakes& mistakes) {
  mistakes.add(node, fmt::format("expected {}, found {}", what, found(node)));
}

std::optional<bool> read_boolean(const Node& node, Mistakes& mistakes) {
  if (node.kind == Node::Kind::boolean) return node.boolean;
  expected(node, "true or false", mistakes);
  return std::nullopt;
}

std::optional<std::string> read_string(const Node& node, Mistakes& mistakes) {
  if (node.kind == Node::Kind::string) return node.text;
  expected(node, "a string", mistakes);
  return std::nullopt;
}

std::optional<std::string> read_bytes(const Node& node, Mistakes& mistakes) {
  if (node.kind == Node::Kind::string && !node.text.empty()) return node.text;
  expected(node, "a string of at least one byte", mistakes);
  return std::nullopt;
}

std::optional<std::string> read_line(const Node& node, Mistakes& mistakes) {
  const bool fits = node.kind == Node::Kind::string && !node.text.empty() &&
                    node.text.size() <= kLineMax && std::ranges::none_of(node.text, is_control);
  if (fits) return node.text;
  expected(node, fmt::format("a string of one line, 1 to {} bytes", kLineMax), mistakes);
  return std::nullopt;
}

bool is_token(std::string_view text) {
  constexpr std::string_view kAlso = "!#$%&'*+-.^_`|~";  // RFC 9110 §5.6.2
  return !text.empty() && std::ranges::all_of(text, [&](char letter) {
    const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    return is_letter || is_digit(letter) || kAlso.find(letter) != std::string_view::npos;
  });
}

std::optional<std::string> read_header_name(const Node& node, Mistakes& mistakes) {
  if (node.kind == Node::Kind::string && is_token(node.text)) return node.text;
  expected(node, "a header name such as \"Idempotency-Key\"", mistakes);
  return std::nullopt;
}

std::optional<Duration> read_duration(const Node& node, Mistakes& mistakes) {
  if (node.kind != Node::Kind::string) {
    expected(node, "a duration with its unit, such as \"250ms\", \"15s\" or \"2m\"", mistakes);
    return std::nullopt;
  }
  auto duration = parse_duration(node.text);
  if (duration) return *duration;
  mistakes.add(node, std::move(duration.error().message));
  return std::nullopt;
}

std::optional<Duration> read_wait(const Node& node, Mistakes& mistakes) {
  const auto wait = read_duration(node, mistakes);
  if (!wait || *wait > Duration(0)) return wait;
  expected(node, "a duration above zero", mistakes);
  return std::nullopt;
}

std::optional<std::uint64_t> read_size(const Node& node, Mistakes& mistakes) {
  if (node.kind != Node::Kind::string) {
    expected(node, "a size with its unit, such as \"400KB\" or \"64B\"", mistakes);
    return std::nullopt;
  }
  auto size = parse_size(node.text);
  if (size) return *size;
  mistakes.add(node, std::move(size.error().message));
  return std::nullopt;
}

std::optional<std::uint64_t> read_integer(const Node& node, Bounds bounds, Mistakes& mistakes) {
  const auto value = node.kind == Node::Kind::number ? whole_number(node.text) : std::nullopt;
  if (value && *value >= bounds.min && *value <= bounds.max) return value;
  const bool open = bounds.max == std::numeric_limits<std::uint64_t>::max();
  expected(node,
           open ? fmt::format("a whole number of at least {}", bounds.min)
                : fmt::format("a whole number from {} to {}", bounds.min, bounds.max),
           mistakes);
  return std::nullopt;
}

std::optional<std::int64_t> read_thousandths(const Node& node, Mistakes& mistakes) {
  constexpr std::uint64_t kMax = 1'000'000'000;
  const auto value = node.kind == Node::Kind::number ? scaled_decimal(node.text, 3) : std::nullopt;
  if (value && *value <= kMax) return static_cast<std::int64_t>(*value);
  expected(node, "a number such as 2 or 0.125, at most three digits behind the point", mistakes);
  return std::nullopt;
}

std::optional<Ratio> read_ratio(const Node& node, Mistakes& mistakes) {
  std::optional<std::uint64_t> part;
  std::optional<std::uint64_t> whole = 1'000'000;
  if (node.kind == Node::Kind::number) {
    part = scaled_decimal(node.text, 6);
  } else if (node.kind == Node::Kind::string) {
    const std::size_t slash = std::min(node.text.find('/'), node.text.size());
    part = whole_number(node.text.substr(0, slash));
    whole = whole_number(node.text.substr(std::min(slash + 1, node.text.size())));
  }
  if (part && whole && *whole > 0 && *part <= *whole) return Ratio{*part, *whole};
  expected(node, "a ratio from 0 to 1, such as \"3/20\" or 0.15", mistakes);
  return std::nullopt;
}

std::optional<int> read_status(const Node& node, Mistakes& mistakes) {
  const auto value = node.kind == Node::Kind::number ? whole_number(node.text) : std::nullopt;
  if (value && *value >= 200 && *value <= 599) return static_cast<int>(*value);
  const bool interim = value && *value >= 100 && *value < 200;
  expected(node,
           interim ? "a final status, 200 to 599 (1xx is interim: the client goes on waiting)"
                   : "a status from 200 to 599",
           mistakes);
  return std::nullopt;
}

void unknown_word(const Node& node, std::span<const std::string_view> known, Mistakes& mistakes) {
  if (node.kind != Node::Kind::string) {
    std::string list;
    for (const std::string_view word : known) {
      list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", word);
    }
    return expected(node, "one of " + list, mistakes);
  }
  mistakes.add(node, fmt::format("{} is not known here; {}", shortened(node.text),
                                 advice(node.text, known)));
}

const std::vector<Node>* read_list(const Node& node, std::size_t min, std::string_view of,
                                   Mistakes& mistakes) {
  if (node.kind == Node::Kind::array && node.items.size() >= min) return &node.items;
  expected(
      node,
      min == 0 ? fmt::format("a list of {}", of) : fmt::format("a list of at least {} {}", min, of),
      mistakes);
  return nullptr;
}

}  // namespace retrylab::scenario::json
