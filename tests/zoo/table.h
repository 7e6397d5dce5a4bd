// SPDX-License-Identifier: MIT
// The zoo as a page of the documentation: every wrong client and the rule that catches it, taken
// from verdicts, not from what the clients claim.
#pragma once

#include <string>

namespace retrylab::zoo {

// Markdown; the same for every run.
std::string table_page();

}  // namespace retrylab::zoo
