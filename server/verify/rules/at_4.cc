// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"
#include "server/verify/timing.h"

namespace retrylab::verify::rules {
namespace {

// Where no time is declared: nobody means to wait that long for one answer.
constexpr Duration kAnyone = std::chrono::seconds(60);
// Its connections end with the process; that is no decision of the client.
constexpr Duration kKilled = std::chrono::milliseconds(100);

bool ended_with_the_process(const Evidence& evidence, const AttemptEvidence& attempt) {
  const journal::ClientEnd* client = evidence.operation_of(attempt).client;
  return client != nullptr && client->outcome == journal::ClientEnd::Outcome::hung &&
         client->ended && attempt.seen.until && *attempt.seen.until >= *client->ended - kKilled;
}

Instant sent_at(const AttemptEvidence& attempt) {
  return attempt.record->body_read.value_or(attempt.first_byte);
}

// Nothing where the answer came in time, or nobody knows how long the client would have waited.
std::optional<Instant> end_of(const Evidence& evidence, const AttemptEvidence& attempt) {
  if (attempt.seen.kind == Seen::Kind::left) return attempt.seen.until;
  if (attempt.seen.kind != Seen::Kind::nothing) {
    const auto declared = evidence.scenario.expect.attempt_timeout;
    const bool is_overdue =
        declared && attempt.seen.until && *attempt.seen.until - sent_at(attempt) > *declared;
    return is_overdue ? attempt.seen.until : std::nullopt;
  }
  const journal::ClientEnd* client = evidence.operation_of(attempt).client;
  return client == nullptr ? std::nullopt : client->ended;
}

Duration lag_until(const Evidence& evidence, const AttemptEvidence& attempt, Instant end) {
  const auto run = evidence.operation_of(attempt).run;
  return evidence.lags[run].explains(attempt.first_byte, std::max(attempt.first_byte, end));
}

void judge_attempt(const Evidence& evidence, const AttemptEvidence& attempt, Tally& tally) {
  const auto end = end_of(evidence, attempt);
  const bool may_be_unseen =
      attempt.seen.kind == Seen::Kind::nothing && attempt.kept_waiting > Duration(0);
  if (!end || may_be_unseen) return;
  const auto declared = evidence.scenario.expect.attempt_timeout;
  const bool was_stopped =
      ended_with_the_process(evidence, attempt) || attempt.seen.kind == Seen::Kind::nothing;
  if (!declared && !was_stopped) return tally.kept(attempt);
  const Instant sent = sent_at(attempt);
  const Duration allowed = declared.value_or(kAnyone);
  const auto tell = [&] {
    return Finding{fmt::format("giving up within {}", time_text(allowed)),
                   fmt::format("{} waited {} for an answer{}", name_of(evidence, attempt),
                               time_text(*end - sent), was_stopped ? " until it was stopped" : ""),
                   "Give every attempt a time limit of its own."};
  };
  const Lateness how_late{
      .wait = *end - sent, .allowed = allowed, .lag = lag_until(evidence, attempt, *end)};
  switch (late(how_late)) {
    case Late::no:
      return was_stopped ? tally.spoiled(attempt, attempt, tell) : tally.kept(attempt);
    case Late::explained:
      return tally.spoiled(attempt, attempt, tell);
    case Late::proven:
      return tally.broke(attempt, beyond(how_late), tell);
  }
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  for (const AttemptEvidence& attempt : evidence.attempts) judge_attempt(evidence, attempt, tally);
  return tally.result(
      {.expected = "no attempt waits for ever", .none = "every attempt was answered in time"});
}

}  // namespace

constinit const Rule kAt4{.id = "AT-4",
                          .statement = "An attempt that gets no answer is given up in time",
                          .source = "RULES AT-4",
                          .parameters = "attempt_timeout; else a minute",
                          .decision =
                              "Fails when the client holds on to a server longer than that, from "
                              "the end of its request to the end of its connection. Where a time "
                              "is declared, to the end of an answer too: one that trickles in is "
                              "none before it is whole.",
                          .judge = judge};

}  // namespace retrylab::verify::rules
