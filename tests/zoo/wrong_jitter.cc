// SPDX-License-Identifier: MIT
// Clients whose jitter is missing, wrong or not random: only many waits show it.
#include <algorithm>

#include "tests/zoo/wrong_backoff.h"

namespace retrylab::zoo {

using namespace std::chrono_literals;

std::vector<WrongClient> wrong_jitter() {
  return {
      {.name = "has-no-jitter",
       .mistake = "waits exactly 1, 2, 4 times its base",
       .rule = "BO-4",
       .stage = {.script = fails(4), .expect = declares("250ms", "1s", "full")},
       .change = takes_between(1000, 1000),
       .visit = {.runs = 20}},
      {.name = "jitters-by-a-hundredth",
       .mistake = "its jitter is too small to spread anything",
       .rule = "BO-4",
       .stage = {.script = fails(4), .expect = declares("250ms", "1s", "full")},
       .change = takes_between(990, 1000),
       .visit = {.runs = 20}},
      {.name = "loses-its-jitter-at-the-cap",
       .mistake = "min(cap, jittered wait): all alike once the cap is reached",
       .rule = "BO-4",
       .stage = {.script = fails(6), .expect = attempts(7) + declares("250ms", "1s", "any")},
       .change = backs_off([](const Progress& p, Random& random, const Backoff&) {
         const Duration top = p.policy.base * (1 << (p.sent - 1));
         return std::min(p.policy.cap, top / 2 + random.between(0s, top));
       }),
       .visit = {.runs = 20}},
      {.name = "waits-never-less-than-half",
       .mistake = "has equal jitter where full jitter is declared",
       .rule = "BO-5",
       .stage = {.script = fails(4), .expect = declares("250ms", "1s", "full")},
       .change = takes_between(500, 1000),
       .visit = {.runs = 20}},
      {.name = "comes-back-too-soon-for-equal-jitter",
       .mistake = "has full jitter where equal jitter is declared",
       .rule = "BO-5",
       .stage = {.script = fails(4), .expect = declares("250ms", "1s", "equal")},
       .change = backs_off([](const Progress& p, Random& random, const Backoff&) {
         const Duration top = ceiling(p.policy, p.sent);
         return random.between(p.sent == 1 ? top / 2 : Duration{0}, top);
       }),
       .jitter = scenario::Jitter::equal,
       .visit = {.runs = 20}},
      {.name = "uses-half-of-its-range",
       .mistake = "jitters between 75% and 100% where equal jitter is declared",
       .rule = "BO-6",
       .stage = {.script = fails(4), .expect = declares("250ms", "1s", "equal")},
       .change = takes_between(750, 1000),
       .jitter = scenario::Jitter::equal,
       .visit = {.runs = 40}},
      {.name = "prefers-short-waits",
       .mistake = "takes the smaller of two draws: early times are crowded",
       .rule = "BO-7",
       .stage = {.script = fails(4), .expect = declares("250ms", "1s", "full")},
       .change = backs_off([](const Progress& p, Random& random, const Backoff& right) {
         return std::min(right(p, random), right(p, random));
       }),
       .visit = {.runs = 100}},
      {.name = "draws-once-per-operation",
       .mistake = "multiplies each ceiling with the same random number",
       .rule = "BO-8",
       .stage = {.script = fails(4), .expect = declares("250ms", "1s", "full")},
       .change = backs_off([](const Progress& p, Random& random, const Backoff& right) {
         if (p.sent == 1) return right(p, random);
         const Duration before = ceiling(p.policy, p.sent - 1);
         return ceiling(p.policy, p.sent) / 1'000'000 * (p.previous_wait / (before / 1'000'000));
       }),
       .visit = {.runs = 15}},
      {.name = "shares-its-seed",
       .mistake = "a forked process goes on with its parent's generator",
       .rule = "BO-9",
       .stage = {.script = fails(4), .expect = declares("250ms", "2s", "equal")},
       .change = [](Habits&) {},
       .jitter = scenario::Jitter::equal,
       .visit = {.runs = 4, .one_seed = true}},
      {.name = "sleeps-whole-seconds",
       .mistake = "rounds its waits up to seconds",
       .rule = "BO-10",
       .stage = {.script = fails(2), .expect = attempts(3)},
       .change = backs_off([](const Progress& p, Random& random, const Backoff& right) {
         return std::chrono::ceil<std::chrono::seconds>(right(p, random));
       }),
       .prepare = [](Habits& h) { h.policy.base = 2s; },
       .visit = {.runs = 20},
       .is_advice = true},
  };
}

}  // namespace retrylab::zoo
