// SPDX-License-Identifier: MIT
// How a stream wants its text: width and colour.
#pragma once

#include <cstdio>

#include "server/report/text.h"

namespace retrylab::cli {

// Width from COLUMNS, else from the terminal, else 100. No colour where NO_COLOR is set; else where
// CLICOLOR_FORCE is set, or on a terminal that is not "dumb".
report::TextOptions text_options(std::FILE* stream, bool verbose);

}  // namespace retrylab::cli
