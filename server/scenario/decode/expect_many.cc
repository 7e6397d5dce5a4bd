// SPDX-License-Identifier: MIT
// What is expected of many operations together: amplification, retry budget, breaker, throttle,
// herd.
#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

// A factor from 1, as a ratio: 1.1 is 1100/1000.
std::optional<Ratio> read_factor(const Node& node, Mistakes& mistakes) {
  const auto thousandths = json::read_thousandths(node, mistakes);
  if (!thousandths) return std::nullopt;
  if (*thousandths < 1'000) {
    mistakes.add(node, "expected a factor of at least 1, such as 1.1");
    return std::nullopt;
  }
  return Ratio{static_cast<std::uint64_t>(*thousandths), 1'000};
}

std::optional<ExpectBudget> read_budget(const Node& node, Mistakes& mistakes) {
  ExpectBudget budget;
  ObjectReader reader(node, "\"budget\"", mistakes);
  reader.required("ratio", budget.ratio, json::read_ratio);
  reader.optional("per_second", budget.per_second, json::integer<std::uint64_t>(0, 1'000'000));
  reader.optional("window", budget.window, json::read_wait);
  reader.optional("burst", budget.burst, json::integer<std::uint64_t>(0, 1'000'000));
  return budget;
}

std::optional<ExpectSilence> read_silence(const Node& node, Mistakes& mistakes) {
  ExpectSilence silence;
  ObjectReader reader(node, "\"silence\"", mistakes);
  reader.required("after", silence.after, json::integer<std::uint64_t>(1, 1'000'000));
  reader.required("for", silence.lasts, json::read_wait);
  reader.optional("probes", silence.probes, json::integer<std::uint64_t>(1, 1'000'000));
  return silence;
}

std::optional<ExpectThrottle> read_throttle(const Node& node, Mistakes& mistakes) {
  ExpectThrottle throttle;
  ObjectReader reader(node, "\"throttle\"", mistakes);
  reader.required("ratio", throttle.ratio, read_factor);
  reader.optional("window", throttle.window, json::read_wait);
  return throttle;
}

std::optional<ExpectHerd> read_herd(const Node& node, Mistakes& mistakes) {
  ExpectHerd herd;
  ObjectReader reader(node, "\"herd\"", mistakes);
  reader.required("peak", herd.peak, read_factor);
  return herd;
}

}  // namespace

void read_expect_many(ObjectReader& reader, Expect& expect) {
  reader.optional("attempt_timeout", expect.attempt_timeout, json::read_wait);
  reader.optional("hedging_delay", expect.hedging_delay, json::read_wait);
  reader.optional("amplification", expect.amplification, read_factor);
  reader.optional("budget", expect.budget, read_budget);
  reader.optional("silence", expect.silence, read_silence);
  reader.optional("throttle", expect.throttle, read_throttle);
  reader.optional("herd", expect.herd, read_herd);
}

}  // namespace retrylab::scenario::decode
