// SPDX-License-Identifier: MIT
#include "server/engine/connections_script.h"

namespace retrylab::engine {

const scenario::ConnectionStep* ConnectionsScript::claim() {
  if (index_ == script_.size()) return nullptr;
  const scenario::ConnectionStep& step = script_[index_];
  if (++used_ >= step.times) {
    ++index_;
    used_ = 0;
  }
  return &step;
}

}  // namespace retrylab::engine
