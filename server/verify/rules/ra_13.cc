// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

using Milliseconds = std::chrono::milliseconds;

// How a profile reads a hint in milliseconds.
struct Reading {
  std::string_view profile;
  std::string_view header;
  bool may_forbid = false;                // a negative or unreadable value means: no retry
  std::optional<Duration> own_plus = {};  // clamps to the own backoff and so much more
};
constexpr std::array kReadings{
    Reading{"openai", "retry-after-ms"}, Reading{"grpc", "grpc-retry-pushback-ms", true},
    Reading{"aws-standard-2.0", "x-amz-retry-after", false, std::chrono::seconds(20)},
    Reading{"aws-standard-2.1", "x-amz-retry-after", false, std::chrono::seconds(5)}};

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

const Header* hint_of(const AttemptEvidence& attempt, std::string_view name) {
  for (const Header& hint : attempt.record->planned.hints) {
    if (same_name(hint.name, name)) return &hint;
  }
  return nullptr;
}

void judge_gap(const Evidence& evidence, const Reading& reading, const Gap& gap, Tally& tally) {
  const Header* hint = hint_of(*gap.before, reading.header);
  if (hint == nullptr || gap.before->seen.status == 0 || !gap.wait_at_most) return;
  const auto tell = [&](std::string expected) {
    return Finding{
        std::move(expected),
        fmt::format("{} with {}: {}", came_after(evidence, gap), hint->name, hint->value),
        fmt::format("Read {} as milliseconds and wait so long.", reading.header)};
  };
  const auto value = number_of(hint->value);
  if (!value || *value < 0) {
    if (!reading.may_forbid) return;
    return tally.broke(*gap.before, *gap.after, std::nullopt, [&] { return tell("no retry"); });
  }
  Duration least = Milliseconds(std::min<std::int64_t>(*value, 1'000'000'000));
  if (reading.own_plus) least = std::min(least, *reading.own_plus);
  const auto wait = [&] { return tell(fmt::format("a wait of at least {}", time_text(least))); };
  switch (early(*gap.wait_at_most, least)) {
    case Early::no:
      return tally.kept(*gap.before);
    case Early::slightly:
      return tally.advise(*gap.before, *gap.after, least - *gap.wait_at_most, wait);
    case Early::proven:
      return tally.broke(*gap.before, *gap.after, least - *gap.wait_at_most, wait);
  }
}

RuleResult judge(const Evidence& evidence) {
  Tally tally(evidence);
  for (const Reading& reading : kReadings) {
    if (reading.profile != evidence.settings.profile->name) continue;
    for (const Gap& gap : evidence.gaps) judge_gap(evidence, reading, gap, tally);
  }
  return tally.result({.expected = "the wait that the hint in milliseconds asks for",
                       .none = "no answer had a hint in milliseconds that this profile reads"});
}

}  // namespace

constinit const Rule kRa13{
    .id = "RA-13",
    .statement = "The profile's own hint in milliseconds is kept",
    .source = "retry-after-ms (OpenAI), x-amz-retry-after (AWS), grpc-retry-pushback-ms (gRPC A6)",
    .parameters = "profile",
    .decision =
        "Fails when an attempt comes more than 20 ms before the time. A negative pushback forbids "
        "a retry; AWS clients wait at most five seconds more than their own backoff.",
    .judge = judge};

}  // namespace retrylab::verify::rules
