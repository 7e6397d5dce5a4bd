// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

bool is_broken_off(const AttemptEvidence& attempt) {
  return attempt.seen.kind == Seen::Kind::truncated || attempt.seen.kind == Seen::Kind::malformed;
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  for (const OperationEvidence& operation : evidence.operations) {
    const AttemptEvidence& last = operation.last();
    if (operation.client == nullptr || !is_broken_off(last)) continue;
    if (operation.client->outcome != journal::ClientEnd::Outcome::success) {
      tally.kept(last);
      continue;
    }
    tally.broke(last, std::nullopt, [&] {
      return Finding{"a failure, or another attempt",
                     fmt::format("the client reported success, but its last answer was {} ({})",
                                 describe(last.seen), name_of(evidence, last)),
                     "Check that the whole answer came: its length, its last chunk, its checksum."};
    });
  }
  return tally.result({.expected = "no success from an answer that broke off",
                       .none = "no client's last answer broke off"});
}

}  // namespace

constinit const Rule kCls10{.id = "CLS-10",
                            .statement = "An answer that broke off is not taken for a success",
                            .source = "RFC 9112 §8",
                            .parameters = "",
                            .decision =
                                "Needs the client's outcome. Fails when it reports success after a "
                                "last answer that was cut off or malformed.",
                            .judge = judge};

}  // namespace retrylab::verify::rules
