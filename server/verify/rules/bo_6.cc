// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "server/verify/rules/all.h"
#include "server/verify/rules/samples.h"
#include "server/verify/rules/words.h"
#include "server/verify/statistics/statistics.h"

namespace retrylab::verify::rules {
namespace {

constexpr std::array<std::string_view, 3> kYieldsTo{"BO-3", "BO-4", "BO-5"};

using statistics::JitterKind;

constexpr std::size_t kWaitsMin = 16;

struct Kind {
  Band band;
  JitterKind kind;
};
constexpr std::array kKinds{Kind{{1000, 1000}, JitterKind::none},
                            Kind{{0, 1000}, JitterKind::full},
                            Kind{{500, 1000}, JitterKind::equal},
                            Kind{{800, 1200}, JitterKind::within_20_percent},
                            Kind{{750, 1250}, JitterKind::within_25_percent},
                            Kind{{500, 1500}, JitterKind::within_50_percent},
                            Kind{{750, 1000}, JitterKind::three_quarters_up}};

std::optional<JitterKind> expected_kind(const Settings& settings) {
  if (settings.decorrelated) return JitterKind::decorrelated;
  if (!settings.band) return std::nullopt;
  const auto* found = std::ranges::find(kKinds, *settings.band, &Kind::band);
  if (found == kKinds.end()) return std::nullopt;
  return found->kind;
}

RuleResult judge(const Evidence& evidence) {
  if (!has_known_shape(evidence)) {
    return {.status = Status::not_applicable,
            .observed = "needs backoff.base (at least 250ms) and backoff.cap"};
  }
  const std::vector<Sample>& samples = evidence.samples;
  const auto waits = model_waits(evidence, samples);
  if (waits.size() < kWaitsMin) return too_few(waits.size(), kWaitsMin, evidence);
  const auto choice =
      statistics::choose_model(waits, *evidence.settings.base, *evidence.settings.cap);
  const auto expected = expected_kind(evidence.settings);
  const std::string expected_text =
      expected ? std::string(statistics::word(*expected)) : "any jitter";
  if (!choice.is_decided) {
    return {.status = Status::not_applicable,
            .expected = expected_text,
            .observed =
                fmt::format("{} cannot tell {} from {}: --repeat more",
                            counted(waits.size(), "wait"), word(choice.best), word(choice.second))};
  }
  const bool is_right = !expected || choice.best == *expected;
  RuleResult result{.status = is_right ? Status::pass : Status::fail,
                    .expected = expected_text,
                    .observed = fmt::format("{} look like {} (e^{:.1f} times as likely as {})",
                                            counted(waits.size(), "wait"), word(choice.best),
                                            choice.lead, word(choice.second))};
  if (is_right) return result;
  result.attempts = {samples.front().gap->after->ref()};
  result.advice = "What is declared is not what is done: correct the policy or the declaration.";
  return result;
}

}  // namespace

constinit const Rule kBo6{
    .id = "BO-6",
    .statement = "The kind of jitter is the declared one",
    .source = "RULES BO-6",
    .parameters = "backoff.base, backoff.cap, backoff.factor, backoff.jitter",
    .decision =
        "Needs 16 waits and a base of 250 ms. The likelihood of nine kinds; decided when the best "
        "is a thousand times as likely as the second (wrong in fewer than 0.04% of cases for none, "
        "full, equal and decorrelated).",
    .yields_to = kYieldsTo,
    .judge = judge};

}  // namespace retrylab::verify::rules
