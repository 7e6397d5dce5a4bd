// SPDX-License-Identifier: MIT
#include "server/journal/text.h"

namespace retrylab::journal {

const Text& TextPool::of(std::string_view text) {
  const auto found = texts_.find(text);
  return found != texts_.end() ? *found : *texts_.insert(Text(text)).first;
}

}  // namespace retrylab::journal
