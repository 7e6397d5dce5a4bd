// SPDX-License-Identifier: MIT
// Answers that are not whole, and answers that send elsewhere.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "tests/scenarios/bugs.h"
#include "tests/server/engine/gunzip.h"

namespace retrylab::bugs {
namespace {

using namespace std::chrono_literals;
using zoo::Habits;
using zoo::Progress;

void checks_gzip(Habits& habits) {
  habits.accepts = [](const Progress& p) {
    return p.status() == 200 && gunzip(p.outcome.response.body).whole;
  };
  habits.retries = [](const Progress&) { return true; };
}

void takes_any_200(Habits& habits) {
  habits.accepts = [](const Progress& p) { return p.status() == 200; };
}

// What came before the cut counts.
void takes_what_there_is(Habits& habits) {
  habits.accepts = [](const Progress& p) { return p.sent > 0; };
}

const Change kGivesUp = retries([](const Progress&, bool) { return false; });

}  // namespace

std::vector<Bug> bugs_of_downloads() {
  const Change continues = sends([](const Progress& p, sim::Send& request) {
    if (p.sent > 0) request.headers.push_back({"Range", fmt::format("bytes={}-", 1000 * p.sent)});
  });
  return {
      {"reset-in-the-body-not-retried", kGivesUp},
      {"partial-answer-joined-to-the-retry", takes_what_there_is},
      {"range-headers-pile-up", sends([](const Progress& p, sim::Send& request) {
         for (int i = 1; i < p.sent; ++i) {
           request.headers.push_back({"Range", fmt::format("bytes={}-", 1000 * i)});
         }
       }),
       continues},
      {"cut-gzip-taken-for-whole", takes_any_200, checks_gzip},
      {"corrupt-gzip-taken-for-whole", takes_any_200, checks_gzip},
      {"gzip-in-tiny-segments",
       [](Habits& h) { h.attempt_timeout = [](const Progress&) { return Duration{1s}; }; },
       checks_gzip},
      {"incomplete-download-not-retried", takes_what_there_is},
      {"429-after-a-redirect-starts-over",
       [](Habits& h) {
         h.request = [right = h.request](const Progress& p) {
           sim::Send request = right(p);
           if (p.sent > 0) request = {.method = "POST", .target = "/r", .body = "{}"};
           return request;
         };
       }},
      {"body-sent-after-the-method-changed", sends([](const Progress& p, sim::Send& request) {
         if (p.call.target.ends_with("/b")) request.body = "{\"amount\":100}";
       })},
  };
}

}  // namespace retrylab::bugs
