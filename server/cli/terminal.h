// SPDX-License-Identifier: MIT
// How a stream wants its text: width and colour.
#pragma once

#include <cstdio>

#include "server/report/text.h"

namespace retrylab::cli {

// Width from COLUMNS, else from the terminal, else 100. Colour only on a terminal, where NO_COLOR
// is not set and TERM is not "dumb".
report::TextOptions text_options(std::FILE* stream, bool verbose);

}  // namespace retrylab::cli
