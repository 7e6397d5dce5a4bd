// SPDX-License-Identifier: MIT
// Text inside XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace retrylab::report {

// Printable, with & < > " ' as entities: safe as content and in a quoted attribute. Line feeds
// stay.
std::string escaped(std::string_view text);

// The same for a cell of a Markdown table: no line ends, no column marks.
std::string table_cell(std::string_view text);

}  // namespace retrylab::report
