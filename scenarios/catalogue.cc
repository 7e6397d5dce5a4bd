// SPDX-License-Identifier: MIT
#include "scenarios/catalogue.h"

namespace retrylab::scenario {
namespace {

constexpr CatalogueEntry kEntries[] = {
#include "catalogue.inc"
};

}  // namespace

std::span<const CatalogueEntry> catalogue() {
  return kEntries;
}

}  // namespace retrylab::scenario
