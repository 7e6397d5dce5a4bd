// SPDX-License-Identifier: MIT
// object = "{" [ text ":" value *( "," text ":" value ) ] "}"
// list   = "[" [ value *( "," value ) ] "]"
// value  = text / number / object / list / "true" / "false" / "null"
#include "server/journal/json_line.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace retrylab::journal {
namespace {

using Kind = JsonMember::Kind;

constexpr int kDepthMax = 16;

class Parser {
 public:
  Parser(std::string_view text, std::vector<JsonMember>& members)
      : rest_(text), members_(members) {}

  bool line() {
    skip_blanks();
    if (!rest_.starts_with('{') || !value({}, 0, 0)) return false;
    skip_blanks();
    return rest_.empty();
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t' ||
                              rest_.front() == '\r' || rest_.front() == '\n')) {
      rest_.remove_prefix(1);
    }
  }

  bool take(char letter) {
    skip_blanks();
    if (!rest_.starts_with(letter)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // To the quote that ends it: one behind an even number of backslashes.
  bool text(std::string_view& raw) {
    if (!take('"')) return false;
    for (auto end = rest_.find('"'); end != std::string_view::npos;
         end = rest_.find('"', end + 1)) {
      std::size_t escapes = 0;
      while (escapes < end && rest_[end - 1 - escapes] == '\\') ++escapes;
      if (escapes % 2 == 1) continue;
      raw = rest_.substr(0, end);
      rest_.remove_prefix(end + 1);
      return true;
    }
    return false;
  }

  bool word(std::string_view expected, std::string_view& raw) {
    if (!rest_.starts_with(expected)) return false;
    raw = rest_.substr(0, expected.size());
    rest_.remove_prefix(expected.size());
    return true;
  }

  std::size_t digits(std::size_t from) const {
    std::size_t to = from;
    while (to < rest_.size() && rest_[to] >= '0' && rest_[to] <= '9') ++to;
    return to - from;
  }

  bool number(std::string_view& raw) {
    std::size_t size = rest_.starts_with('-') ? 1 : 0;
    const std::size_t whole = digits(size);
    if (whole == 0 || (whole > 1 && rest_[size] == '0')) return false;
    size += whole;
    if (size < rest_.size() && rest_[size] == '.') {
      const std::size_t places = digits(size + 1);
      if (places == 0) return false;
      size += 1 + places;
    }
    if (size < rest_.size() && (rest_[size] == 'e' || rest_[size] == 'E')) {
      const bool is_signed =
          size + 1 < rest_.size() && (rest_[size + 1] == '+' || rest_[size + 1] == '-');
      const std::size_t sign = is_signed ? 1 : 0;
      const std::size_t power = digits(size + 1 + sign);
      if (power == 0) return false;
      size += 1 + sign + power;
    }
    raw = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as kDepthMax
  bool value(std::string_view name, std::size_t parent, int depth) {
    skip_blanks();
    if (rest_.empty()) return false;
    JsonMember made{.name = name, .parent = parent};
    const std::size_t index = members_.size();
    switch (rest_.front()) {
      case '"':
        made.kind = Kind::text;
        if (!text(made.raw)) return false;
        break;
      case '{':
      case '[':
        made.kind = rest_.front() == '{' ? Kind::object : Kind::list;
        members_.push_back(made);
        return depth < kDepthMax && inside(made.kind, index, depth);
      case 't':
      case 'f':
        made.kind = Kind::truth;
        if (!word("true", made.raw) && !word("false", made.raw)) return false;
        break;
      case 'n':
        if (!word("null", made.raw)) return false;
        break;
      default:
        made.kind = Kind::number;
        if (!number(made.raw)) return false;
    }
    members_.push_back(made);
    return true;
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as kDepthMax
  bool inside(Kind kind, std::size_t parent, int depth) {
    const char end = kind == Kind::object ? '}' : ']';
    rest_.remove_prefix(1);
    if (take(end)) return true;
    do {
      std::string_view name;
      if (kind == Kind::object && (!text(name) || !take(':'))) return false;
      if (!value(name, parent, depth + 1)) return false;
    } while (take(','));
    return take(end);
  }

  std::string_view rest_;
  std::vector<JsonMember>& members_;
};

// What a letter behind a backslash stands for, or nothing.
char escaped_letter(char letter) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const auto found = kLetters.find(letter);
  return found == std::string_view::npos ? '\0' : kMeanings[found];
}

// Takes the four digits of \uXXXX off `rest`.
bool append_code_point(std::string_view& rest, std::string& bytes) {
  unsigned code = 0;
  const std::string_view digits = rest.substr(0, 4);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (error != std::errc() || end != digits.data() + 4 || code > 0xff) return false;
  bytes.push_back(static_cast<char>(code));
  rest.remove_prefix(4);
  return true;
}

bool is_plain(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte >= 0x20 && byte < 0x80 && letter != '\\';
}

bool continues(unsigned char byte) {
  return (byte & 0xc0U) == 0x80U;
}

// One bit of 64 for a name: most names that a line lacks need no search.
std::uint64_t bit_of(std::string_view name) {
  const auto first = name.empty() ? 0U : static_cast<unsigned char>(name.front());
  return std::uint64_t{1} << ((name.size() * 7 + first) % 64);
}

}  // namespace

bool JsonLine::parse(std::string_view text) {
  members_.clear();
  last_ = 0;
  names_ = 0;
  if (!Parser(text, members_).line()) return false;
  for (const JsonMember& member : members_) names_ |= bit_of(member.name);
  return true;
}

const JsonMember* JsonLine::find(std::size_t parent, std::string_view name) {
  if ((names_ & bit_of(name)) == 0) return nullptr;
  for (std::size_t i = 1; i < members_.size(); ++i) {
    // From behind the last one on, and around.
    std::size_t at = last_ + i;
    if (at >= members_.size()) at -= members_.size() - 1;
    const JsonMember& member = members_[at];
    if (member.parent != parent || member.name != name) continue;
    last_ = at;
    return &member;
  }
  return nullptr;
}

bool append_bytes(std::string_view raw, std::string& bytes) {
  while (!raw.empty()) {
    const auto* special = std::ranges::find_if_not(raw, is_plain);
    const auto plain = static_cast<std::size_t>(special - raw.begin());
    bytes.append(raw.substr(0, plain));
    raw.remove_prefix(plain);
    if (raw.size() < 2) return raw.empty();
    const auto lead = static_cast<unsigned char>(raw[0]);
    const auto next = static_cast<unsigned char>(raw[1]);
    raw.remove_prefix(2);
    if ((lead == 0xc2 || lead == 0xc3) && continues(next)) {
      bytes.push_back(static_cast<char>(((lead & 0x03U) << 6U) | (next & 0x3fU)));
    } else if (lead == '\\' && next == 'u') {
      if (!append_code_point(raw, bytes)) return false;
    } else if (const char letter = escaped_letter(static_cast<char>(next));
               lead == '\\' && letter != '\0') {
      bytes.push_back(letter);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace retrylab::journal
