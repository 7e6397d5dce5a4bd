// SPDX-License-Identifier: MIT
#include "server/report/markup.h"

#include <algorithm>

#include "server/report/layout.h"

namespace retrylab::report {
namespace {

void append_entity(std::string& to, char letter) {
  switch (letter) {
    case '&':
      to += "&amp;";
      break;
    case '<':
      to += "&lt;";
      break;
    case '>':
      to += "&gt;";
      break;
    case '"':
      to += "&quot;";
      break;
    case '\'':
      to += "&#39;";
      break;
    default:
      to += letter;
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  while (true) {
    const auto end = text.find('\n');
    for (const char letter : printable(text.substr(0, end))) append_entity(result, letter);
    if (end == std::string_view::npos) return result;
    result += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string table_cell(std::string_view text) {
  std::string result;
  for (const char letter : escaped(text)) {
    if (letter == '|') result += '\\';
    result += letter == '\n' ? ' ' : letter;
  }
  return result;
}

}  // namespace retrylab::report
