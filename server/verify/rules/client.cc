// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"
#include "server/verify/timing.h"

namespace retrylab::verify::rules {
namespace {

using Outcome = journal::ClientEnd::Outcome;
using Wanted = scenario::ExpectClient::Outcome;

std::string ended_as(const journal::ClientEnd& client) {
  switch (client.outcome) {
    case Outcome::hung:
      return "hung and was stopped";
    case Outcome::interrupted:
      return "was interrupted, as this run was";
    case Outcome::signalled:
      return fmt::format("was ended by signal {}", client.signal.value_or(0));
    case Outcome::success:
      return "said it succeeded";
    case Outcome::failure:
      return client.exit_code ? fmt::format("failed (exit code {})", *client.exit_code)
                              : "said it failed";
    case Outcome::none:
      break;
  }
  return client.exit_code ? fmt::format("ended with exit code {}", *client.exit_code)
                          : "ended without a word";
}

bool is_success(const journal::ClientEnd& client) {
  if (client.outcome == Outcome::none) return client.exit_code == 0;
  return client.outcome == Outcome::success;
}

// Hanging or crashing is never the failure that was expected.
bool is_clean_failure(const journal::ClientEnd& client) {
  if (client.outcome == Outcome::none) return client.exit_code.value_or(0) != 0;
  return client.outcome == Outcome::failure;
}

bool is_wanted(Wanted wanted, const journal::ClientEnd& client) {
  switch (wanted) {
    case Wanted::any:
      return true;
    case Wanted::succeeds:
      return is_success(client);
    case Wanted::fails:
      return is_clean_failure(client);
  }
  return false;
}

std::string wanted_text(Wanted wanted) {
  switch (wanted) {
    case Wanted::any:
      return "any end";
    case Wanted::succeeds:
      return "the client succeeds";
    case Wanted::fails:
      return "the client says it failed, and ends by itself";
  }
  return "";
}

std::string advice_for(Wanted wanted, const journal::ClientEnd& client) {
  if (client.outcome == Outcome::hung) {
    return "Let every wait and every attempt have an end; or raise --timeout if it is only slow.";
  }
  if (client.outcome == Outcome::interrupted) return "Let the run come to its end.";
  return wanted == Wanted::succeeds
             ? "Look at the last attempts: the scenario lets a right client succeed."
             : "Report a failure as one: the scenario leaves nothing that could succeed.";
}

struct Verdicts {
  std::size_t kept = 0;
  std::optional<RuleResult> worst;

  void add(RuleResult result) {
    if (!worst || weight(result.status) > weight(worst->status)) worst = std::move(result);
  }
};

std::string who(const Evidence& evidence, const RunEvidence& run) {
  return evidence.runs.size() == 1 ? "the client"
                                   : fmt::format("the client of run {}", run.record->number);
}

std::vector<AttemptRef> last_attempt(const RunEvidence& run) {
  if (run.operations.empty()) return {};
  return {run.operations.back().last().ref()};
}

void judge_within(const Evidence& evidence, const RunEvidence& run,
                  const journal::ClientEnd& client, Verdicts& verdicts) {
  const auto within = evidence.scenario.expect.client.within;
  if (!within || !client.ended || run.operations.empty()) return;
  const auto last = run.operations.back().last().seen.until;
  if (!last) return;
  const Lateness how_late{
      .wait = *client.ended - *last,
      .allowed = *within,
      .lag = evidence.lags[run.operations.back().run].explains(*last, *client.ended)};
  if (late(how_late) == Late::no) return;
  verdicts.add({.status = late(how_late) == Late::proven ? Status::fail : Status::inconclusive,
                .expected = fmt::format("the client ends within {}", time_text(*within)),
                .observed = fmt::format("{} ended {} after its last answer", who(evidence, run),
                                        time_text(how_late.wait)),
                .missed_by = how_late.wait - *within,
                .attempts = last_attempt(run),
                .advice = "Return as soon as the last answer is there."});
}

void judge_client(const Evidence& evidence, const RunEvidence& run,
                  const journal::ClientEnd& client, Verdicts& verdicts) {
  const scenario::ExpectClient& expect = evidence.scenario.expect.client;
  if (!is_wanted(expect.outcome, client)) {
    const bool is_proof = client.outcome != Outcome::interrupted;
    verdicts.add({.status = is_proof ? Status::fail : Status::inconclusive,
                  .expected = wanted_text(expect.outcome),
                  .observed = fmt::format("{} {}{}", who(evidence, run), ended_as(client),
                                          client.reason.empty() ? "" : ": " + client.reason),
                  .attempts = last_attempt(run),
                  .advice = advice_for(expect.outcome, client)});
    return;
  }
  if (expect.body_sha256 && client.body_sha256 != *expect.body_sha256) {
    verdicts.add({.status = Status::fail,
                  .expected = "the body with SHA-256 " + *expect.body_sha256,
                  .observed = client.body_sha256.empty()
                                  ? fmt::format("{} did not say what it read", who(evidence, run))
                                  : fmt::format("{} read one with SHA-256 {}", who(evidence, run),
                                                client.body_sha256),
                  .attempts = last_attempt(run),
                  .advice = "A retry starts the body anew; a part of one is never a result."});
    return;
  }
  judge_within(evidence, run, client, verdicts);
  ++verdicts.kept;
}

// The best answer that reached the client; 0 where there was none at all.
bool had_success(const OperationEvidence& operation) {
  return std::ranges::any_of(operation.attempts, [](const AttemptEvidence& attempt) {
    return attempt.seen.success() || (attempt.seen.answered() && attempt.seen.status / 100 == 3);
  });
}

// Nobody can take that for a success: a failure of the server, or no answer. A 404 may be one, to
// whoever deletes again. A part of an answer is CLS-10's.
bool is_failure_for_anyone(const Seen& seen, bool is_its_word) {
  if (seen.answered()) return is_its_word && is_retry_status(seen.status);
  return seen.kind == Seen::Kind::reset || seen.kind == Seen::Kind::closed ||
         seen.kind == Seen::Kind::malformed;
}

// A client that says it went well, and nothing did. After an error's answer an exit code may be the
// shell's.
void judge_claim(const Evidence& evidence, const RunEvidence& run, const journal::ClientEnd& client,
                 Verdicts& verdicts) {
  if (run.operations.size() != 1 || run.record->clients.size() != 1 || evidence.dropped) return;
  const OperationEvidence& operation = run.operations.back();
  const AttemptEvidence& last = operation.last();
  if (!is_success(client) || had_success(operation) || !last.seen.until) return;
  if (last.seen.spoiled || last.seen.kind == Seen::Kind::truncated) return;
  const bool is_proven = is_failure_for_anyone(last.seen, client.outcome == Outcome::success);
  verdicts.add({.status = is_proven ? Status::fail : Status::advice,
                .expected = "a client that says it succeeded got what it asked for",
                .observed = fmt::format("{} {}, but no attempt did: the last one got {}",
                                        who(evidence, run), ended_as(client), describe(last.seen)),
                .attempts = last_attempt(run),
                .advice = "Let it say that it failed (curl: --fail), or say client: \"any\"."});
}

// Whatever the client says proves nothing where what was planned did not happen.
void judge_planned(const Evidence& evidence, const RunEvidence& run, Verdicts& verdicts) {
  for (const OperationEvidence& operation : run.operations) {
    for (const AttemptEvidence& attempt : operation.attempts) {
      if (!attempt.seen.spoiled) continue;
      Tally tally(evidence);
      tally.kept(attempt);
      verdicts.add(tally.result({}));
      return;
    }
  }
}

RuleResult judge(const Evidence& evidence) {
  const scenario::ExpectClient& expect = evidence.scenario.expect.client;
  Verdicts verdicts;
  for (const RunEvidence& run : evidence.runs) {
    for (const journal::ClientEnd& client : run.record->clients) {
      judge_client(evidence, run, client, verdicts);
      if (expect.outcome == Wanted::succeeds) judge_claim(evidence, run, client, verdicts);
    }
    if (evidence.occurring.spoiled) judge_planned(evidence, run, verdicts);
  }
  if (verdicts.worst) {
    if (verdicts.worst->expected.empty()) verdicts.worst->expected = wanted_text(expect.outcome);
    return *verdicts.worst;
  }
  const bool is_judged = expect.outcome != Wanted::any || expect.within || expect.body_sha256;
  if (verdicts.kept == 0 || !is_judged) {
    return {.status = Status::not_applicable,
            .expected = wanted_text(expect.outcome),
            .observed = verdicts.kept == 0 ? "no client process was started" : "any end is fine"};
  }
  return {.status = Status::pass,
          .expected = wanted_text(expect.outcome),
          .observed = fmt::format("so it was for {}", counted(verdicts.kept, "client"))};
}

}  // namespace

constinit const Rule kClient{
    .id = "client",
    .statement = "How the client ends",
    .parameters = "client: outcome, within, body_sha256; default: succeeds",
    .decision =
        "By its outcome line, else by its exit code. Hanging and crashing are never right, unless "
        "any end is. A success without any answer is none, nor one that is claimed in words after "
        "408, 425, 429 or 5xx; after another error it is advice. Inconclusive when a planned fault "
        "did not take place.",
    .is_of_progress = true,
    .judge = judge};

}  // namespace retrylab::verify::rules
