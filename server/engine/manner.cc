// SPDX-License-Identifier: MIT
#include "server/engine/manner.h"

namespace retrylab::engine {

Manner manner_of(const scenario::Step& step) {
  return {step.delay ? &*step.delay : nullptr, step.pace, step.write_sizes, step.faults,
          &step.framing};
}

Manner changed_by(Manner manner, const scenario::Step& change) {
  if (change.delay) manner.delay = &*change.delay;
  if (!change.pace.empty()) manner.pace = change.pace;
  if (!change.write_sizes.empty()) manner.write_sizes = change.write_sizes;
  if (!change.faults.empty()) manner.faults = change.faults;
  if (change.framing.kind != scenario::Framing::Kind::content_length) {
    manner.framing = &change.framing;
  }
  return manner;
}

}  // namespace retrylab::engine
