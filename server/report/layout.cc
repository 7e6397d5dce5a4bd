// SPDX-License-Identifier: MIT
#include "server/report/layout.h"

#include <algorithm>

#include <fmt/format.h>

namespace retrylab::report {
namespace {

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

std::string_view code(Paint paint) {
  switch (paint) {
    case Paint::plain:
      return "";
    case Paint::bold:
      return "\x1b[1m";
    case Paint::dim:
      return "\x1b[2m";
    case Paint::green:
      return "\x1b[32m";
    case Paint::red:
      return "\x1b[31m";
    case Paint::yellow:
      return "\x1b[33m";
  }
  return "";
}

// The length in bytes of the UTF-8 character at the front, or 0 when it is not one.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  std::size_t length = 1;
  if (first >= 0xF0 && first <= 0xF4)
    length = 4;
  else if (first >= 0xE0)
    length = 3;
  else if (first >= 0xC2)
    length = 2;
  else if (first >= 0x80)
    return 0;
  if (first > 0xF4 || text.size() < length) return 0;
  const auto tail = text.substr(1, length - 1);
  return std::ranges::all_of(tail, continues_character) ? length : 0;
}

// C0, DEL, and C1 written as two bytes (U+0080 to U+009F).
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return first < 0x20 || first == 0x7F;
  return first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

// The bytes of the first `count` characters.
std::string_view front(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  while (at < text.size() && (count > 0 || continues_character(text[at]))) {
    if (!continues_character(text[at])) --count;
    ++at;
    while (at < text.size() && continues_character(text[at])) ++at;
  }
  return text.substr(0, at);
}

}  // namespace

std::string painted(std::string_view text, Paint paint, bool colour) {
  if (!colour || paint == Paint::plain || text.empty()) return std::string(text);
  return fmt::format("{}{}\x1b[0m", code(paint), text);
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const auto character = text.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0 || is_control(character)) {
      for (const char byte : character) {
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
      }
    } else {
      result += character;
    }
    text.remove_prefix(character.size());
  }
  return result;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return !continues_character(byte); }));
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(text) + std::string(width > used ? width - used : 0, ' ');
}

std::string right_aligned(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(width > used ? width - used : 0, ' ') + std::string(text);
}

std::string clipped(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  return std::string(front(text, width > 0 ? width - 1 : 0)) + "…";
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  width = std::max<std::size_t>(width, 1);
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    auto word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const std::size_t used = display_width(lines.back());
    if (used > 0 && used + 1 + display_width(word) > width) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    while (display_width(word) > width) {
      const auto piece = front(word, width);
      lines.back() += piece;
      lines.emplace_back();
      word.remove_prefix(piece.size());
    }
    lines.back() += word;
  }
  return lines;
}

}  // namespace retrylab::report
