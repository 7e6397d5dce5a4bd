// SPDX-License-Identifier: MIT
// Text for a terminal: widths, wrapping, colour, and nothing that a client sent reaching the
// terminal as a control sequence. Widths count code points.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace retrylab::report {

enum class Paint { plain, bold, dim, green, red, yellow };

// `text` in that colour, or as it is when `colour` is off.
std::string painted(std::string_view text, Paint paint, bool colour);

// Control characters and bytes that are not UTF-8 written as \xNN; a line feed too.
std::string printable(std::string_view text);

std::size_t display_width(std::string_view text);

// Blanks up to `width`, behind or before.
std::string padded(std::string_view text, std::size_t width);
std::string right_aligned(std::string_view text, std::size_t width);

// At most `width` wide, the cut shown by "…".
std::string clipped(std::string_view text, std::size_t width);

// Lines of at most `width`, broken at blanks; a longer word is broken where it must be. At least
// one line. `width` of zero counts as one.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace retrylab::report
