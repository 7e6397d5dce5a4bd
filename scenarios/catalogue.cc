// SPDX-License-Identifier: MIT
#include "scenarios/catalogue.h"

#include <algorithm>

namespace retrylab::scenario {
namespace {

constexpr CatalogueEntry kCatalogue[] = {
#include "catalogue.inc"
};
constexpr CatalogueEntry kBugs[] = {
#include "bugs.inc"
};
constexpr CatalogueEntry kProbes[] = {
#include "audit.inc"
};

}  // namespace

std::span<const CatalogueEntry> catalogue() {
  return kCatalogue;
}

std::span<const CatalogueEntry> bugs() {
  return kBugs;
}

std::span<const CatalogueEntry> probes() {
  return kProbes;
}

const CatalogueEntry* find_entry(std::string_view name) {
  for (const auto entries : {catalogue(), bugs(), probes()}) {
    const auto entry = std::ranges::find(entries, name, &CatalogueEntry::name);
    if (entry != entries.end()) return &*entry;
  }
  return nullptr;
}

}  // namespace retrylab::scenario
