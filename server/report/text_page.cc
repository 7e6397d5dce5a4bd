// SPDX-License-Identifier: MIT
#include "server/report/text_page.h"

#include <algorithm>

#include <fmt/format.h>

namespace retrylab::report {

TextPage::TextPage(const TextOptions& options) : options_(options) {
  options_.width = std::max(options_.width, kNarrowest);
}

void TextPage::labelled(Label label, std::string_view text, Column column, Paint paint) {
  const std::string indent(column.indent, ' ');
  const std::size_t at = column.indent + column.width;
  const std::size_t used = display_width(label.text);
  std::string head = this->paint(label.text, label.paint) +
                     std::string(column.width > used ? column.width - used : 0, ' ');
  for (const auto& text_line : wrapped(text, options_.width > at ? options_.width - at : 1)) {
    line(indent + head + this->paint(text_line, paint));
    head.assign(column.width, ' ');
  }
}

}  // namespace retrylab::report
