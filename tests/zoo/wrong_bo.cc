// SPDX-License-Identifier: MIT
// Clients whose waits between attempts have the wrong shape.
#include <algorithm>

#include "tests/zoo/wrong_backoff.h"

namespace retrylab::zoo {
namespace {

using namespace std::chrono_literals;
}  // namespace

std::vector<WrongClient> wrong_backoff() {
  return {
      {.name = "knows-no-cap",
       .mistake = "doubles for ever",
       .rule = "BO-1",
       .stage = {.script = fails(5), .expect = attempts(6) + declares("250ms", "1s", "equal")},
       .change = [](Habits& h) { h.policy.cap = 1h; },
       .jitter = scenario::Jitter::equal},
      {.name = "adds-jitter-to-its-cap",
       .mistake = "caps the wait first, then adds up to half of it",
       .rule = "BO-1",
       .stage = {.script = fails(12), .expect = attempts(13) + declares("1s", "4s", "equal")},
       .change = backs_off([](const Progress& p, Random& random, const Backoff&) {
         const Duration top = ceiling(p.policy, p.sent);
         return top + random.between(0s, top / 2);
       }),
       .jitter = scenario::Jitter::equal},
      {.name = "backs-off-not-at-all",
       .mistake = "retries in a tight loop",
       .rule = "BO-3",
       .stage = {.script = fails(3), .expect = declares("1s", "4s", "equal")},
       .change = backs_off([](const Progress&, Random&, const Backoff&) { return Duration{0}; }),
       .jitter = scenario::Jitter::equal},
      {.name = "retries-first-at-once",
       .mistake = "waits only before the second retry and later ones",
       .rule = "BO-3",
       .stage = {.script = fails(3), .expect = declares("1s", "4s", "equal")},
       .change = backs_off([](const Progress& p, Random& random, const Backoff& right) {
         const Duration wait = right(p, random);
         return p.sent == 1 ? Duration{0} : wait;
       }),
       .jitter = scenario::Jitter::equal},
      {.name = "overflows-at-attempt-31",
       .mistake = "base << retries overflows 32 bits: the wait becomes nothing",
       .rule = "BO-2",
       .stage = {.script = fails(33), .expect = attempts(34)},
       .change = backs_off([](const Progress& p, Random& random, const Backoff& right) {
         const Duration wait = right(p, random);
         return p.sent < 31 ? wait : Duration{0};
       }),
       .jitter = scenario::Jitter::equal,
       .prepare =
           [](Habits& h) {
             h.policy.base = 100ms;
             h.policy.cap = 1s;
           },
       .visit = {.runs = 20}},
      {.name = "starts-over-after-two-retries",
       .mistake = "loses its count: 1, 2, 1, 2 times the base",
       .rule = "BO-2",
       .stage = {.script = fails(4)},
       .change = backs_off([](const Progress& p, Random& random, const Backoff& right) {
         Progress shorter = p;
         shorter.sent = (p.sent - 1) % 2 + 1;
         return right(shorter, random);
       }),
       .jitter = scenario::Jitter::equal,
       .visit = {.runs = 30}},
      {.name = "waits-less-each-time",
       .mistake = "divides where it should multiply",
       .rule = "BO-2",
       .stage = {.script = fails(4)},
       .change = backs_off([](const Progress& p, Random& random, const Backoff& right) {
         Progress shorter = p;
         shorter.sent = std::max(1, 5 - p.sent);
         return right(shorter, random);
       }),
       .jitter = scenario::Jitter::equal,
       .visit = {.runs = 30}},
  };
}

}  // namespace retrylab::zoo
