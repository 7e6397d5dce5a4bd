// SPDX-License-Identifier: MIT
// The catalogue: every scenarios/*.json, embedded in the binary. To add one, add a file.
#pragma once

#include <span>
#include <string_view>

namespace retrylab::scenario {

struct CatalogueEntry {
  std::string_view name;  // the file's name without .json
  std::string_view text;
};

// Sorted by name.
std::span<const CatalogueEntry> catalogue();

}  // namespace retrylab::scenario
