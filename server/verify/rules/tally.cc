// SPDX-License-Identifier: MIT
#include "server/verify/rules/tally.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "server/verify/rules/words.h"

namespace retrylab::verify {
namespace {

// With no violation in n chances the true share is below 3/n with 95% confidence.
std::string never_in(std::size_t chances) {
  if (chances < 4) return fmt::format("never in {}", counted(chances, "chance"));
  return fmt::format("never in {} (so at most {:.2g}% of the time, with 95% confidence)",
                     counted(chances, "chance"), 300.0 / static_cast<double>(chances));
}

std::string without_fault(const Evidence& evidence, const AttemptEvidence& attempt) {
  if (attempt.kept_waiting > Duration(0)) {
    return fmt::format("this host was {} late with the answer to {}: nobody knows if it was read",
                       time_text(attempt.kept_waiting), name_of(evidence, attempt));
  }
  const auto& planned = attempt.record->planned;
  const bool has_left = attempt.seen.kind == Seen::Kind::left;
  return fmt::format(
      "the {} planned for {} did not take place{}",
      planned.faults.empty() ? "answer" : fmt::to_string(fmt::join(planned.faults, " and the ")),
      name_of(evidence, attempt), has_left ? ": the client left first" : "");
}

}  // namespace

void Tally::kept(const AttemptEvidence& attempt) {
  if (!attempt.seen.spoiled) {
    ++kept_;
    return;
  }
  auto tell = [&] {
    return Finding{"", without_fault(evidence_, attempt),
                   attempt.kept_waiting > Duration(0)
                       ? "Run it again on a host that is less busy."
                       : "Let the client wait longer than the scenario's delay, or drop the "
                         "fault."};
  };
  add(spoiled_, {attempt.ref()}, std::nullopt, tell);
}

RuleResult Tally::from(const Pile& pile, Status status, const Outline& outline) const {
  RuleResult result;
  result.status = status;
  result.expected = pile.worst->expected.empty() ? outline.expected : pile.worst->expected;
  result.observed = pile.worst->observed;
  if (pile.count > 1) result.observed += fmt::format(" ({} more like it)", pile.count - 1);
  result.advice = pile.worst->advice;
  result.missed_by = pile.worst_miss;
  result.attempts = pile.attempts;
  return result;
}

RuleResult Tally::result(Outline outline) const {
  if (broken_.count > 0) return from(broken_, Status::fail, outline);
  if (guesses_.count > 0) {
    RuleResult result = from(guesses_, Status::inconclusive, outline);
    result.observed += "; but equal requests at the same time could not be told apart";
    result.advice =
        "Name the operations with \"operation\", or send X-Op-Id, so that attempts "
        "can be told apart.";
    return result;
  }
  if (spoiled_.count > 0) return from(spoiled_, Status::inconclusive, outline);
  if (evidence_.dropped && chances() > 0) {
    return {.status = Status::inconclusive,
            .expected = std::move(outline.expected),
            .observed = "attempts are missing in the journal",
            .advice =
                "Raise limits.journal_entries if it was full; judge a whole journal if it is "
                "cut off."};
  }
  if (advised_.count > 0) return from(advised_, Status::advice, outline);
  if (kept_ == 0) {
    return {.status = Status::not_applicable,
            .expected = std::move(outline.expected),
            .observed = std::move(outline.none)};
  }
  return {.status = Status::pass,
          .expected = std::move(outline.expected),
          .observed =
              outline.is_never ? never_in(kept_) : fmt::format("kept {}", counted(kept_, "time"))};
}

}  // namespace retrylab::verify
