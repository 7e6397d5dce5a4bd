// SPDX-License-Identifier: MIT
#include "server/engine/script.h"

namespace retrylab::engine {
namespace {

using scenario::AfterScript;
using scenario::Route;
using scenario::Step;

bool has_time(const Step& step) {
  return step.lasts || step.lasts_until_retry_after;
}

}  // namespace

void ScriptPosition::advance() {
  ++index_;
  used_ = 0;
  lasts_until_.reset();
  announced_ = false;
}

// Claims a step with `for`, unless its time is over.
bool ScriptPosition::still_lasting(const Step& step, Instant now) {
  if (!lasts_until_) lasts_until_ = step.lasts ? saturating_add(now, *step.lasts) : kNever;
  return now < *lasts_until_;
}

std::optional<std::size_t> ScriptPosition::claim(const Route& route, Instant now) {
  const auto& script = route.script;
  if (script.empty()) return std::nullopt;
  for (;;) {
    if (index_ == script.size()) {
      if (route.after_script == AfterScript::fail) return std::nullopt;
      if (route.after_script == AfterScript::repeat_last) return script.size() - 1;
      index_ = 0;
    }
    const Step& step = script[index_];
    const std::size_t claimed = index_;
    if (!has_time(step)) {
      if (++used_ >= step.times) advance();
      return claimed;
    }
    if (still_lasting(step, now)) return claimed;
    advance();
  }
}

void ScriptPosition::announce(std::size_t step, Instant until) {
  if (step != index_ || announced_ || !lasts_until_) return;
  lasts_until_ = until;
  announced_ = true;
}

}  // namespace retrylab::engine
