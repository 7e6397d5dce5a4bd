// SPDX-License-Identifier: MIT
#include "server/audit/infer/findings.h"

#include <algorithm>

namespace retrylab::audit {

Answer Findings::reaction(std::string_view what, std::string_view method) const {
  for (const Reaction& one : reactions) {
    if (one.what == what && one.method == method) return one.retried;
  }
  return Answer::unknown;
}

bool Findings::never_retries() const {
  return attempts.most == 1U &&
         std::ranges::find(reactions, Answer::yes, &Reaction::retried) == reactions.end();
}

std::string_view word(Answer answer) {
  switch (answer) {
    case Answer::yes:
      return "yes";
    case Answer::no:
      return "no";
    case Answer::unknown:
      break;
  }
  return "unknown";
}

std::string_view word(KeysFound::Kind kind) {
  switch (kind) {
    case KeysFound::Kind::none:
      return "none";
    case KeysFound::Kind::stable:
      return "stable";
    case KeysFound::Kind::changes:
      return "changes";
    case KeysFound::Kind::unknown:
      break;
  }
  return "unknown";
}

}  // namespace retrylab::audit
