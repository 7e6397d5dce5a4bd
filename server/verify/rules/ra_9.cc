// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "server/verify/rules/all.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

constexpr std::size_t kWaitsMin = 10;
constexpr Duration kAtOnce = std::chrono::milliseconds(5);

RuleResult judge(const Evidence& evidence) {
  std::vector<const Gap*> gaps;
  for (const Gap& gap : evidence.gaps_if(evidence.occurring.asked)) {
    const Asked& asked = gap.before->asked;
    const bool is_zero = asked.kind == RetryAfter::Kind::seconds && asked.wait == Duration(0);
    if (is_zero && gap.wait_at_most) gaps.push_back(&gap);
  }
  if (gaps.size() < kWaitsMin) {
    return {.status = Status::not_applicable,
            .observed = fmt::format("had {} after Retry-After: 0, needs {}",
                                    counted(gaps.size(), "wait"), kWaitsMin)};
  }
  const auto [least, most] =
      std::ranges::minmax(gaps, {}, [](const Gap* gap) { return *gap->wait_at_most; });
  const bool is_at_once = *most->wait_at_most < kAtOnce;
  const bool is_alike = *least->wait_at_most * 10 >= *most->wait_at_most * 9;
  if (!is_at_once && !is_alike) {
    return {.status = Status::pass,
            .expected = "waits that differ",
            .observed = fmt::format("{} differ", counted(gaps.size(), "wait"))};
  }
  return {.status = Status::fail,
          .expected = "waits that differ after Retry-After: 0",
          .observed = fmt::format("{} are all {}", counted(gaps.size(), "wait"),
                                  is_at_once ? "none" : time_text(*least->wait_at_most)),
          .attempts = {least->after->ref(), most->after->ref()},
          .advice = "Zero means: no need to wait. Spread the clients by jitter all the same."};
}

}  // namespace

constinit const Rule kRa9{
    .id = "RA-9",
    .statement = "After Retry-After: 0 clients still spread out",
    .source = "RFC 9110 §10.2.3; draft-ietf-httpapi-ratelimit-headers, security considerations",
    .parameters = "",
    .decision = "Needs 10 waits. Advice when all are alike, or there is none.",
    .severity = Severity::advice,
    .judge = judge};

}  // namespace retrylab::verify::rules
