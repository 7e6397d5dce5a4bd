// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// An unreadable or past Retry-After is another rule's (RA-5, RA-6, RA-7).
bool is_candidate(const Evidence& evidence, const AttemptEvidence& attempt) {
  return may_be_followed(evidence, attempt) && !attempt.asked.past &&
         attempt.asked.kind != RetryAfter::Kind::invalid;
}

struct History {
  bool is_retried = false;
  const AttemptEvidence* last_word = nullptr;  // nothing followed, though it should
};

void judge_end(const Evidence& evidence, const AttemptEvidence& last, Tally& tally) {
  const auto not_followed = [&] {
    return Finding{
        "",
        fmt::format("nothing followed {} ({}): {}", describe(last.seen), name_of(evidence, last),
                    ending_text(evidence, last)),
        fmt::format("Retry after {}, with backoff; it is a passing trouble.", describe(last.seen))};
  };
  if (last.seen.spoiled) return tally.kept(last);
  switch (afterwards(evidence, last)) {
    case Afterwards::gave_up:
    case Afterwards::hung:
      return tally.broke(last, std::nullopt, not_followed);
    case Afterwards::unknown:
    case Afterwards::too_soon:
      return tally.spoiled(last, last, not_followed);
  }
}

bool was_cut_at_once(const journal::Connection& connection) {
  return connection.requests == 0 && !connection.planned_faults.empty() &&
         connection.faults_delivered && connection.closed &&
         connection.closed_by == journal::Connection::ClosedBy::server;
}

bool has_ended_by_itself(const journal::ClientEnd& client) {
  return client.ended && client.outcome != journal::ClientEnd::Outcome::hung &&
         client.outcome != journal::ClientEnd::Outcome::interrupted;
}

// Its only connection was cut before it could ask for anything, so that no attempt shows it: a
// request that was never sent may be sent again whatever it is.
bool gave_up_a_cut_connection(const RunEvidence& run) {
  const journal::Run& record = *run.record;
  if (!record.one_process || record.clients.size() != 1 || !run.operations.empty()) return false;
  return record.attempts_begun == 0 && record.connections_opened == 1 &&
         record.connections.size() == 1 && was_cut_at_once(record.connections.front()) &&
         has_ended_by_itself(record.clients.front()) && record.pauses.empty();
}

RuleResult given_up_at_once(const Evidence& evidence) {
  const journal::Run& run = *evidence.runs.front().record;
  return {.status = Status::fail,
          .expected = "another connection after one that was cut",
          .observed = fmt::format(
              "nothing followed the cutting of connection {}: the client ended {} later",
              run.connections.front().id,
              time_text(*run.clients.front().ended - *run.connections.front().closed)),
          .advice = "Connect again, with backoff: nothing was sent that could be repeated."};
}

RuleResult judge(const Evidence& evidence) {
  // One attempt may be all that is expected, of a client that connects until it gets to make it.
  const auto& connections = evidence.scenario.expect.connections;
  const bool may_come_back = evidence.settings.attempts_max.value_or(2) > 1 ||
                             (connections && connections->min.value_or(0) > 1);
  const bool never_came_back = std::ranges::all_of(evidence.runs, gave_up_a_cut_connection);
  if (may_come_back && !evidence.runs.empty() && never_came_back) return given_up_at_once(evidence);
  std::map<int, History> kinds;
  Tally tally(evidence);
  for (const Chain& chain : evidence.chains) {
    for (const Gap& gap : chain.gaps) {
      if (!is_candidate(evidence, *gap.before)) continue;
      kinds[failure_kind(*gap.before)].is_retried = true;
      tally.kept(*gap.before);
    }
    const AttemptEvidence& last = chain.last();
    if (!is_candidate(evidence, last) || !has_attempts_left(evidence, chain)) continue;
    History& seen = kinds[failure_kind(last)];
    if (seen.last_word == nullptr) seen.last_word = &last;
  }
  for (const auto& [kind, seen] : kinds) {
    if (!seen.is_retried && seen.last_word != nullptr) judge_end(evidence, *seen.last_word, tally);
  }
  return tally.result({.expected = "another attempt after a passing trouble",
                       .none = "no attempt failed in a way that has to be retried"});
}

}  // namespace

constinit const Rule kCls1{
    .id = "CLS-1",
    .statement = "Passing troubles are retried: 429, 502, 503, 504, a reset before the answer",
    .source = "RFC 9110 §9.2.2, §15.6; RFC 6585 §4",
    .parameters = "profile: which statuses; attempts.max, total_time.max, backoff.cap",
    .decision =
        "Fails when a kind of failure is the last word of an operation that had attempts "
        "left, and is never retried anywhere. Only where repeating does no harm (by "
        "method or key), and not after a wait beyond the cap or the deadline: giving up "
        "is right then. Inconclusive when it is not known that the client has ended. A client "
        "whose only connection was cut before it sent anything fails too.",
    .is_of_progress = true,
    .judge = judge};

}  // namespace retrylab::verify::rules
