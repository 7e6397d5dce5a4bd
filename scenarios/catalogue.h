// SPDX-License-Identifier: MIT
// The scenarios, embedded in the binary. To add one, add a file.
#pragma once

#include <span>
#include <string_view>

namespace retrylab::scenario {

struct CatalogueEntry {
  std::string_view name;  // the file's name without .json
  std::string_view text;
};

// scenarios/*.json, sorted by name: what `retrylab list` prints.
std::span<const CatalogueEntry> catalogue();

// scenarios/bugs/*.json, sorted by name: mistakes that were reported of some client.
std::span<const CatalogueEntry> bugs();

// scenarios/audit/*.json, sorted by name: what `retrylab audit` learns a client's policy from.
std::span<const CatalogueEntry> probes();

// Of all three; null for an unknown name.
const CatalogueEntry* find_entry(std::string_view name);

}  // namespace retrylab::scenario
