// SPDX-License-Identifier: MIT
// The lines of a text report while it is being written.
#pragma once

#include <string>
#include <string_view>

#include "server/report/layout.h"
#include "server/report/text.h"

namespace retrylab::report {

struct Label {
  std::string_view text;
  Paint paint = Paint::plain;
};

// Where labels stand and how much room they have, before the text beside them.
struct Column {
  std::size_t indent = 0;
  std::size_t width = 0;
};

class TextPage {
 public:
  // Narrower than kNarrowest is written as if it were that wide.
  static constexpr std::size_t kNarrowest = 24;
  explicit TextPage(const TextOptions& options);

  const TextOptions& options() const { return options_; }

  std::string paint(std::string_view text, Paint paint) const {
    return painted(text, paint, options_.colour);
  }

  void line(std::string_view text) {
    text_ += text;
    text_ += '\n';
  }
  // One, however often it is asked for.
  void blank() {
    if (!text_.ends_with("\n\n")) text_ += '\n';
  }

  // `label` in its column, then `text` wrapped beside it.
  void labelled(Label label, std::string_view text, Column column, Paint paint = Paint::plain);

  const std::string& text() const { return text_; }

 private:
  TextOptions options_;
  std::string text_;
};

}  // namespace retrylab::report
