// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// A coding that is cut off leaves the connection whole: the message's own length is right.
bool breaks_off_in_its_coding(const AttemptEvidence& attempt) {
  return std::ranges::any_of(attempt.record->planned.faults, [](const std::string& fault) {
    return fault.ends_with(" at encoding");
  });
}

// A 408 is CLS-5's.
bool ends_the_connection(const AttemptEvidence& attempt) {
  if (attempt.seen.status == 408) return false;
  const bool broke_off =
      attempt.seen.kind == Seen::Kind::truncated && !breaks_off_in_its_coding(attempt);
  return attempt.closes_connection || broke_off || attempt.seen.kind == Seen::Kind::reset ||
         attempt.seen.kind == Seen::Kind::closed;
}

void judge_gap(const Evidence& evidence, const Gap& gap, Tally& tally) {
  const AttemptEvidence& before = *gap.before;
  const AttemptEvidence& after = *gap.after;
  if (before.connection != after.connection) return tally.kept(before);
  tally.broke(before, after, std::nullopt, [&] {
    return Finding{
        "a new connection",
        fmt::format("{} came on the connection of {}, which had ended with {}",
                    name_of(evidence, after), name_of(evidence, before),
                    before.closes_connection ? "Connection: close" : describe(before.seen)),
        "Drop a connection that said close or broke, and open another."};
  });
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  const Occurring& occurring = evidence.occurring;
  const bool is_any_ended = occurring.closing || occurring.kind(Seen::Kind::truncated) ||
                            occurring.kind(Seen::Kind::reset) || occurring.kind(Seen::Kind::closed);
  for (const Gap& gap : evidence.gaps_if(is_any_ended)) {
    if (ends_the_connection(*gap.before)) judge_gap(evidence, gap, tally);
  }
  return tally.result({.expected = "a new connection after one that ended",
                       .none = "no connection ended before a retry"});
}

}  // namespace

constinit const Rule kConn1{
    .id = "CONN-1",
    .statement = "After Connection: close or a broken connection the retry uses a new one",
    .source = "RFC 9112 §9.6",
    .parameters = "",
    .decision = "Fails when the retry arrives on the connection that had ended.",
    .judge = judge};

}  // namespace retrylab::verify::rules
