// SPDX-License-Identifier: MIT
// What is sent again: bodies, keys, POSTs that may have been executed, stale connections.
#include <fmt/format.h>

#include "tests/scenarios/bugs.h"

namespace retrylab::bugs {
namespace {

using namespace std::chrono_literals;
using zoo::Habits;
using zoo::Progress;

const Change kRepeatsAnything =
    retries([](const Progress& p, bool) { return p.status() == 0 || p.status() >= 400; });

const Change kGivesUp = retries([](const Progress&, bool) { return false; });

}  // namespace

std::vector<Bug> bugs_of_bodies() {
  return {
      {"body-empty-on-the-retry", sends([](const Progress& p, sim::Send& request) {
         if (p.sent > 0) request.body.clear();
       })},
      {"redirect-loses-the-body", sends([](const Progress& p, sim::Send& request) {
         if (p.call.target.ends_with("/b")) request.body.clear();
       })},
      {"key-made-inside-the-loop",
       [](Habits& h) {
         h.key = [right = h.key](const Progress& p, Random& random) {
           Progress first = p;
           first.sent = 0;
           return right(first, random);
         };
       }},
      {"resends-a-post-after-a-reset", kRepeatsAnything},
      {"gives-up-on-its-own-request-in-progress",
       retries([](const Progress& p, bool right) { return p.status() != 409 && right; })},
      {"timed-out-post-sent-again", kRepeatsAnything},
      {"post-repeated-after-504", kRepeatsAnything},
      {"stale-connection-never-retried", kGivesUp, [](Habits&) {}, {.operations = 2}},
      {"idle-connection-closed-unread", kGivesUp, [](Habits&) {}, {.operations = 2, .every = 5s}},
      {"early-answer-leaves-the-body-unread", kRepeatsAnything},
      {"endless-408",
       [](Habits& h) { h.has_attempts_left = [](const Progress& p) { return p.sent < 20; }; }},
      {"503-retried-only-when-told", retries([](const Progress& p, bool right) {
         return right && !answer_header(p, "Retry-After").empty();
       })},
      {"early-413-lost-in-a-reset", kRepeatsAnything},
      {"trickled-body-defeats-the-timeout",
       [](Habits& h) { h.attempt_timeout = [](const Progress&) { return Duration{100s}; }; }},
      {"trickled-head-defeats-the-timeout",
       [](Habits& h) { h.attempt_timeout = [](const Progress&) { return Duration{1h}; }; }},
      {"hint-in-the-body-thrown-away", asks([](const Progress&, Asked) { return Asked(); }),
       [](Habits& h) {
         h.asked = [](const Progress& p) -> Asked {
           const bool told = p.outcome.response.body.find("\"retry_after\":2") != std::string::npos;
           return told ? Asked(2s) : Asked();
         };
       }},
  };
}

}  // namespace retrylab::bugs
