// SPDX-License-Identifier: MIT
// Backoff, deadlines, attempts, budgets and breakers.
#include "tests/scenarios/bugs.h"

namespace retrylab::bugs {
namespace {

using namespace std::chrono_literals;
using zoo::Habits;
using zoo::Policy;
using zoo::Progress;
using zoo::Shared;

constexpr zoo::Visit kLoad{.operations = 60, .every = 100ms};

void sleeps_whatever_it_costs(Habits& habits) {
  habits.may_sleep = [](const Progress&, Duration) { return true; };
  habits.may_send = [](const Progress&, Instant) { return true; };
  habits.attempt_timeout = [](const Progress&) { return Duration{10s}; };
}

void hurries(Habits& habits) {
  habits.policy.base = 40ms;
  habits.policy.cap = 60ms;
  habits.policy.attempts = 3;
}

}  // namespace

std::vector<Bug> bugs_of_backoff() {
  return {
      {"backoff-overflows",
       [](Habits& h) {
         h.backoff = [right = h.backoff](const Progress& p, Random& random) {
           return p.sent > 30 ? Duration{0} : right(p, random);
         };
       },
       [](Habits&) {},
       {},
       scenario::Jitter::none},
      {"uploads-retry-in-lockstep",
       [](Habits& h) {
         h.backoff = [](const Progress& p, Random&) { return zoo::ceiling(p.policy, p.sent); };
       },
       [](Habits&) {},
       {.clients = 50},
       scenario::Jitter::full},
      {"sleeps-past-the-deadline", sleeps_whatever_it_costs},
      {"abort-does-not-end-the-wait",
       [](Habits& h) {
         sleeps_whatever_it_costs(h);
         h.may_send = [](const Progress&, Instant) { return false; };
       },
       [](Habits& h) {
         h.policy.deadline = 100ms;
         h.asked = [](const Progress&) { return Asked(3s); };
       }},
      {"one-attempt-too-many",
       [](Habits& h) {
         h.has_attempts_left = [](const Progress& p) { return p.sent <= p.policy.attempts; };
       }},
      {"parallel-transfers-ignore-the-wait",
       [](Habits& h) { h.asked = [](const Progress&) { return Asked(); }; },
       [](Habits&) {},
       {.clients = 2}},
      {"no-retry-budget",
       [](Habits& h) {
         h.within_budget = [](const Progress&, const Shared&, Instant) { return true; };
       },
       hurries, kLoad},
      {"half-open-floodgate",
       [](Habits& h) {
         h.lets_through = [](const Policy& policy, Shared& shared, Instant now) {
           return shared.failures < policy.breaker->after || now >= shared.open_until;
         };
       },
       hurries,
       {.operations = 30, .every = 100ms, .clients = 4, .one_program = true}},
  };
}

}  // namespace retrylab::bugs
