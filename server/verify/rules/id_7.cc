// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"
#include "server/verify/statistics/statistics.h"

namespace retrylab::verify::rules {
namespace {

using journal::Source;

constexpr Duration kAtOnce = std::chrono::milliseconds(5);

void judge_refused(const Evidence& evidence, const Gap& gap, Tally& tally) {
  const AttemptEvidence& before = *gap.before;
  const bool is_corrected =
      before.record->key != gap.after->record->key || !is_same_request(before, *gap.after);
  if (is_corrected) return tally.kept(before);
  tally.broke(before, *gap.after, std::nullopt, [&] {
    return Finding{"no repeat until the request is corrected", came_after(evidence, gap),
                   before.source == Source::key_missing
                       ? "Send a key: the server said that it needs one."
                       : "The key was used for another request: make a new one for this."};
  });
}

// Where no base is declared, few clients have a smaller one.
constexpr Duration kSmallBase = std::chrono::milliseconds(50);

bool is_at_once(const Gap* gap) {
  return gap->wait_at_most && *gap->wait_at_most < kAtOnce;
}

// A bound for the probability that full jitter makes those of the waits come at once; its ceiling
// doubles from retry to retry.
double by_chance(const Settings& settings, const std::vector<const Gap*>& gaps) {
  Settings assumed = settings;
  if (!assumed.base) assumed.base = kSmallBase;
  double bound = 1;
  double left = static_cast<double>(gaps.size());
  double chosen = 0;
  for (const Gap* gap : gaps) {
    if (!is_at_once(gap)) continue;
    const Duration top = std::max(*ceiling(assumed, own_retry(*gap)), kAtOnce);
    bound *= static_cast<double>(kAtOnce.count()) / static_cast<double>(top.count());
    bound *= left-- / ++chosen;  // which of them
  }
  return bound;
}

// The waits after a 409 of one operation. Jitter from zero comes at once now and then: so many of
// them fail as chance does not explain. With a lower bound one is enough.
void judge_in_progress(const Evidence& evidence, const std::vector<const Gap*>& gaps,
                       Tally& tally) {
  const auto band = wait_band(evidence.settings, 1, std::nullopt);
  const bool is_bounded = band && band->least > kAtOnce + kEarlyAdvice;
  const bool is_proof = is_bounded || by_chance(evidence.settings, gaps) < statistics::kAlpha;
  for (const Gap* gap : gaps) {
    if (!is_at_once(gap)) {
      tally.kept(*gap->before);
      continue;
    }
    const auto tell = [&] {
      return Finding{"a wait before asking again", came_after(evidence, *gap),
                     "Back off while the first attempt is still being worked on."};
    };
    if (is_proof) {
      tally.broke(*gap->before, *gap->after, std::nullopt, tell);
    } else {
      tally.advise(*gap->before, *gap->after, std::nullopt, tell);
    }
  }
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  const Occurring& occurring = evidence.occurring;
  const bool is_any_refused = occurring.source(Source::key_in_flight) ||
                              occurring.source(Source::key_missing) ||
                              occurring.source(Source::key_reused);
  for (const Chain& chain : evidence.chains_if(is_any_refused)) {
    std::vector<const Gap*> in_progress;
    for (const Gap& gap : chain.gaps) {
      const Source source = gap.before->source;
      if (source == Source::key_in_flight) in_progress.push_back(&gap);
      if (source == Source::key_missing || source == Source::key_reused) {
        judge_refused(evidence, gap, tally);
      }
    }
    judge_in_progress(evidence, in_progress, tally);
    const Source last = chain.last().source;
    if (last == Source::key_missing || last == Source::key_reused) tally.kept(chain.last());
  }
  return tally.result({.expected = "the key store's answers taken for what they say",
                       .none = "the key store refused nothing"});
}

}  // namespace

constinit const Rule kId7{
    .id = "ID-7",
    .statement =
        "The key store's refusals are understood: 409 later again, 422 and 400 not as they were",
    .source = "draft-ietf-httpapi-idempotency-key-header §2.7",
    .parameters = "route.idempotency; backoff.jitter",
    .decision =
        "Fails when the very request is repeated after 422 or after 400 for a missing key. At once "
        "(within 5 ms) after 409 fails where the declared jitter has a lower bound, else as often "
        "in one operation as chance does not explain (p < 1e-4); fewer are advice. That the key "
        "stays the same is ID-3's.",
    .judge = judge};

}  // namespace retrylab::verify::rules
