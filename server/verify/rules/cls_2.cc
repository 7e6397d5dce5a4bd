// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

// Changing that header makes a new request of it, not a retry.
constexpr std::array<std::pair<int, std::string_view>, 8> kRemedies{{{401, "Authorization"},
                                                                     {403, "Authorization"},
                                                                     {406, "Accept"},
                                                                     {412, "If-Match"},
                                                                     {415, "Content-Type"},
                                                                     {416, "Range"},
                                                                     {426, "Upgrade"},
                                                                     {428, "If-Match"}}};

bool is_corrected(const AttemptEvidence& before, const AttemptEvidence& after) {
  return std::ranges::any_of(kRemedies, [&](const auto& remedy) {
    return remedy.first == before.seen.status &&
           before.record->header(remedy.second) != after.record->header(remedy.second);
  });
}

// What was refused before its body was read was refused for its head: the same head, byte for
// byte, gets the same answer whatever follows it. It may be the head of another operation's request
// though, where nothing but likeness put the two together.
bool repeats_the_head(const Evidence& evidence, const AttemptEvidence& before,
                      const AttemptEvidence& after) {
  if (before.print.body != 0) return false;
  const bool has_one_key = before.print.key != 0 && before.print.key == after.print.key;
  const bool is_one_operation =
      has_one_key || evidence.operation_of(before).by < Grouping::fingerprint;
  return is_one_operation && before.record->head == after.record->head;
}

// A 413 that asks to wait is a passing trouble (CLS-7); what the key store refuses is ID-7's, and
// what the scenario adds to the list is never_retry's.
bool is_candidate(const Evidence& evidence, const AttemptEvidence& attempt) {
  const auto source = attempt.source;
  return is_never_retried(evidence.settings, attempt.seen.status) &&
         !std::ranges::count(evidence.settings.never_retry.statuses, attempt.seen.status) &&
         !(attempt.seen.status == 413 && attempt.asked.valid()) && attempt.should_retry != true &&
         source != journal::Source::key_missing && source != journal::Source::key_reused;
}

void judge_gap(const Evidence& evidence, const Gap& gap, Tally& tally) {
  const AttemptEvidence& before = *gap.before;
  const AttemptEvidence& after = *gap.after;
  const bool is_repeat =
      is_same_request(before, after) || repeats_the_head(evidence, before, after);
  if (!is_repeat || is_corrected(before, after)) return tally.kept(before);
  tally.broke(before, after, std::nullopt, [&] {
    return Finding{
        fmt::format("no repeat of a request that got {}", before.seen.status),
        fmt::format("{} repeats the very request that got {} ({})", name_of(evidence, after),
                    describe(before.seen), name_of(evidence, before)),
        fmt::format("Take {} for final: the same request gets the same answer.",
                    before.seen.status)};
  });
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  const bool is_any_refused = (evidence.occurring.statuses & evidence.settings.never_retried).any();
  for (const Chain& chain : evidence.chains_if(is_any_refused)) {
    for (const Gap& gap : chain.gaps) {
      if (is_candidate(evidence, *gap.before)) judge_gap(evidence, gap, tally);
    }
    if (is_candidate(evidence, chain.last())) tally.kept(chain.last());
  }
  return tally.result({.expected = "no repeat of a request that was refused for good",
                       .none = "no answer was final in that way",
                       .is_never = true});
}

}  // namespace

constinit const Rule kCls2{
    .id = "CLS-2",
    .statement =
        "A request that was refused for good (400, 401, 403, 404, 422 ...) is not repeated",
    .source = "RFC 9110 §15.5",
    .parameters = "never_retry.except; profile: exceptions",
    .decision =
        "Fails on one repeat with the same method, target and body; where the refusal came before "
        "the body was read, with the same head, byte for byte. 401 with new credentials, 416 with "
        "another range and the like are not repeats; 413 with Retry-After may be.",
    .judge = judge};

}  // namespace retrylab::verify::rules
