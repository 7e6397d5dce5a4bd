// SPDX-License-Identifier: MIT
#include "server/engine/overrides.h"

namespace retrylab::engine {
namespace {

using scenario::When;

template <typename Wanted, typename Actual>
bool equal_or_unset(const std::optional<Wanted>& wanted, Actual actual) {
  return !wanted || *wanted == actual;
}

bool circumstances_hold(const When& when, const Circumstances& now) {
  return equal_or_unset(when.attempt, now.attempt) &&
         equal_or_unset(when.connection, now.connection) &&
         equal_or_unset(when.request_on_connection, now.request_on_connection) &&
         (!when.elapsed_from || now.elapsed >= *when.elapsed_from) &&
         (!when.elapsed_until || now.elapsed < *when.elapsed_until) &&
         (!when.concurrency_min || now.concurrency >= *when.concurrency_min);
}

Held replay_holds(const When& when, const Circumstances& now) {
  if (!when.replay) return Held::yes;
  if (now.replay_unknown) return Held::needs_body;
  return now.replay == *when.replay ? Held::yes : Held::no;
}

Held when_holds(const When& when, const Circumstances& now, const Request& request) {
  if (!circumstances_hold(when, now) || !headers_hold(when.headers, request)) return Held::no;
  const Held replay = replay_holds(when, now);
  const Held body = bodies_hold(when.body, request);
  if (replay == Held::no || body == Held::no) return Held::no;
  return replay == Held::needs_body ? replay : body;
}

}  // namespace

OverrideFound find_override(std::span<const scenario::Override> overrides,
                            const Circumstances& circumstances, const Request& request) {
  for (const scenario::Override& one : overrides) {
    switch (when_holds(one.when, circumstances, request)) {
      case Held::yes:
        return {&one.step, false};
      case Held::needs_body:
        return {nullptr, true};
      case Held::no:
        break;
    }
  }
  return {};
}

}  // namespace retrylab::engine
