// SPDX-License-Identifier: MIT
#include "tests/client_lib/rules/cage_policy.h"

#include "client_lib/retry/presets.h"

namespace retrylab {
namespace {

using namespace std::chrono_literals;

Jitter jitter_of(scenario::Jitter jitter) {
  switch (jitter) {
    case scenario::Jitter::none:
      return Jitter::none;
    case scenario::Jitter::equal:
      return Jitter::equal;
    case scenario::Jitter::decorrelated:
      return Jitter::decorrelated;
    case scenario::Jitter::full:
    case scenario::Jitter::any:
      break;
  }
  return Jitter::full;
}

BudgetPolicy budget_of(const scenario::ExpectBudget& budget) {
  return RetryWindowPolicy{.ratio = budget.ratio,
                           .per_second = static_cast<std::uint32_t>(budget.per_second),
                           .window = budget.window};
}

// So many failures in a row: the last so many calls, all of them failed.
BreakerPolicy breaker_of(const scenario::ExpectSilence& silence) {
  const auto calls = static_cast<std::uint32_t>(silence.after);
  return {.calls = calls,
          .threshold = {1, 1},
          .min_calls = calls,
          .cool_down = silence.lasts,
          .probes = static_cast<std::uint32_t>(silence.probes)};
}

Policy base_policy(const std::string& profile) {
  if (profile == "aws-standard-2.0") return aws_standard_2_0();
  Policy policy = careful();
  policy.redirects = 5;
  if (profile == "openai") policy.server_wait.headers.retry_after_ms = true;
  return policy;
}

}  // namespace

Policy policy_for(const zoo::WrongClient& cage, const scenario::Expect& expect) {
  Policy policy = base_policy(expect.profile);
  // The numbers that the zoo's own right client has there.
  zoo::Habits habits = zoo::right_habits(zoo::declared_policy(expect, cage.jitter));
  cage.prepare(habits);
  const zoo::Policy& numbers = habits.policy;
  policy.attempts = static_cast<std::uint32_t>(numbers.attempts);
  policy.backoff.base = numbers.base;
  policy.backoff.factor_thousandths = numbers.factor_thousandths;
  policy.backoff.first_ceiling_doubled = numbers.first_ceiling_doubled;
  policy.backoff.cap = numbers.cap;
  policy.backoff.jitter = jitter_of(numbers.jitter);
  policy.deadline = numbers.deadline;
  policy.attempt_timeout = numbers.attempt_timeout;
  if (numbers.budget) policy.budget = budget_of(*numbers.budget);
  if (numbers.breaker) policy.breaker = breaker_of(*numbers.breaker);
  policy.server_wait.limit = 25s;  // cages ask for up to 20 s
  // A herd that is told one instant needs more room than one client.
  if (cage.rule == "RA-14") policy.server_wait.spread = 1s;
  if (cage.rule == "HERD-4") policy.server_wait.spread = 9s;
  return policy;
}

}  // namespace retrylab
