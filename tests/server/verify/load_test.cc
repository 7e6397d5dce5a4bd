// SPDX-License-Identifier: MIT
// Rules over the load of a whole run: budgets, breakers, the return after an outage.
#include <algorithm>
#include <functional>
#include <optional>

#include <gtest/gtest.h>

#include "client_lib/base/random.h"
#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;

std::string target(int i) {
  return "/" + std::to_string(i);
}

// So many operations, one every 100 ms, all failing; the first `retried` of them retry once.
auto failing(int operations, int retried) {
  return [=](Stage& s) {
    s.run.served();
    for (int i = 0; i < operations; ++i) {
      const Duration at = 100ms * i;
      s.run.get(at, target(i)).answered(503);
      if (i < retried) s.run.get(at + 40ms + 1ms * (i * 37 % 50), target(i)).answered(503);
    }
    s.expect.disabled_rules = {"CLS-1", "BO-7"};
  };
}

TEST(Bu1, load_does_not_multiply) {
  const auto limited = [](int retried) {
    return [=](Stage& s) {
      failing(100, retried)(s);
      s.expect.amplification = Ratio{11, 10};
    };
  };
  Stage right;
  limited(10)(right);
  EXPECT_EQ(result_of(right.judge(), "BU-1").status, Status::pass);
  Stage wrong;
  limited(11)(wrong);
  EXPECT_EQ(result_of(wrong.judge(), "BU-1").status, Status::fail);
  EXPECT_EQ(ids_with(wrong.judge(), Status::fail), "BU-1");
}

TEST(Bu2, retries_stay_within_the_budget) {
  const auto limited = [](int retried) {
    return [=](Stage& s) {
      failing(100, retried)(s);
      s.expect.budget = scenario::ExpectBudget{.ratio = {1, 5}, .window = 2s, .burst = 2};
    };
  };
  expect_rows("BU-2", {
                          {"a few", limited(3), Status::pass},
                          {"all", limited(100), Status::fail},
                          {"nothing declared", failing(100, 100), Status::not_applicable},
                      });
}

TEST(Bu3, a_total_outage_is_an_exact_count) {
  const auto outage = [](int retried) {
    return [=](Stage& s) {
      failing(120, retried)(s);
      s.expect.profile = "aws-standard-2.1";
      s.expect.operations = scenario::CountRange{.min = 120, .max = 120};
      s.run.run().one_process = true;
    };
  };
  expect_rows("BU-3", {
                          {"35", outage(35), Status::pass},
                          {"36", outage(36), Status::fail},
                          {"another profile", failing(10, 10), Status::not_applicable},
                      });
}

// One that fails and is retried; so many that succeed, one every 200 ms from 1 s on; and one that
// fails at 4.2 s and is retried or not.
auto recovered(int successes, std::optional<Duration> retried_after) {
  return [=](Stage& s) {
    s.run.served();
    s.run.get(0s, target(0)).answered(503);
    s.run.get(300ms, target(0)).answered(200);
    for (int i = 0; i < successes; ++i) s.run.get(4s - 200ms * i, target(i + 1)).answered(200);
    s.run.get(4200ms, "/last").answered(503);
    if (retried_after) s.run.get(4201ms + *retried_after, "/last").answered(200);
    s.expect.budget = scenario::ExpectBudget{.ratio = {1, 5}, .window = 2s};
    s.expect.operations = scenario::CountRange{.min = 2};
    s.backoff(250ms, 250ms, scenario::Jitter::full);
    s.run.run().one_process = true;
  };
}

TEST(Bu4, a_budget_recovers) {
  const auto but = [](auto change) {
    return [=](Stage& s) {
      recovered(10, std::nullopt)(s);
      change(s);
    };
  };
  expect_rows(
      "BU-4",
      {
          {"gives up though the budget has room", recovered(10, std::nullopt), Status::fail},
          {"retries again", recovered(10, 100ms), Status::pass},
          {"too few successes to earn one", recovered(4, std::nullopt), Status::pass},
          {"a retry just before", but([](Stage& s) {
             s.run.get(3700ms, "/other").answered(503);
             s.run.get(3900ms, "/other").answered(200);
           }),
           Status::pass},
          {"the run ends first", but([](Stage& s) { s.run.ended(4300ms); }), Status::pass},
          {"it may have a breaker", but([](Stage& s) {
             s.expect.silence = scenario::ExpectSilence{.after = 5, .lasts = 5s, .probes = 1};
           }),
           Status::not_applicable},
          {"nothing declared", but([](Stage& s) { s.expect.budget.reset(); }),
           Status::not_applicable},
      });
}

// Operations of one attempt each, at those instants, all failing.
auto attempts(const std::vector<Duration>& at) {
  return [=](Stage& s) {
    s.run.served();
    for (std::size_t i = 0; i < at.size(); ++i) {
      s.run.get(at[i], target(static_cast<int>(i))).answered(503, 10ms);
    }
    s.expect.silence = scenario::ExpectSilence{.after = 3, .lasts = 5s, .probes = 1};
    s.expect.disabled_rules = {"CLS-1"};
  };
}

TEST(Cb1, the_breaker_opens) {
  expect_rows("CB-1",
              {
                  {"silent", attempts({0s, 1s, 2s}), Status::pass},
                  {"goes on", attempts({0s, 1s, 2s, 3s}), Status::fail},
                  {"what is on its way may come", attempts({0s, 1s, 2s, 2020ms}), Status::pass},
                  {"never so many", attempts({0s, 1s}), Status::not_applicable},
              });
}

TEST(Cb2, while_open_there_is_no_traffic) {
  expect_rows("CB-2", {
                          {"silent for its time", attempts({0s, 1s, 2s, 7010ms}), Status::pass},
                          {"a second short", attempts({0s, 1s, 2s, 6s}), Status::fail},
                      });
}

TEST(Cb3, half_open_lets_its_probes_through) {
  const auto slow_probe = [](std::vector<Duration> at) {
    return [=](Stage& s) {
      attempts(at)(s);
      s.run.run().attempts[3].delivered.r_min = journal::instant(at[3] + 2s);
      s.run.run().attempts[3].delivered.r_max = journal::instant(at[3] + 2s);
    };
  };
  expect_rows("CB-3", {
                          {"one", slow_probe({0s, 1s, 2s, 8s}), Status::pass},
                          {"two", slow_probe({0s, 1s, 2s, 8s, 9s}), Status::fail},
                          {"a probe that nobody saw the end of",
                           [&](Stage& s) {
                             slow_probe({0s, 1s, 2s, 8s, 20s})(s);
                             s.run.run().attempts[3].delivered = {};
                             s.expect.disabled_rules.push_back("AT-5");
                           },
                           Status::pass},
                      });
}

TEST(Cb4, a_failed_probe_opens_it_again) {
  const auto answered_in_no_time = [](const std::vector<Duration>& at) {
    return [=](Stage& s) {
      attempts(at)(s);
      s.run.run().attempts[3].delivered.r_min = journal::instant(at[3]);
    };
  };
  expect_rows("CB-4", {
                          {"silent again", attempts({0s, 1s, 2s, 8s, 14s}), Status::pass},
                          {"goes on", attempts({0s, 1s, 2s, 8s, 9s}), Status::fail},
                          {"goes on after an answer in no time",
                           answered_in_no_time({0s, 1s, 2s, 8s, 9s}), Status::fail},
                          {"a silence that was not kept has no probe",
                           [](Stage& s) {
                             attempts({0s, 1s, 2s, 6s, 8s, 9s})(s);
                             s.expect.disabled_rules.push_back("CB-2");
                           },
                           Status::not_applicable},
                      });
}

// Ten successes, then so many refusals, one every 100 ms; then silence, then another.
auto refused(int status, int count, Duration silence) {
  return [=](Stage& s) {
    s.run.served();
    s.expect.silence = scenario::ExpectSilence{.after = 5, .lasts = 5s};
    s.expect.disabled_rules = {"CB-1"};
    for (int i = 0; i < 10 + count; ++i) {
      s.run.get(100ms * i, target(i)).answered(i < 10 ? 200 : status);
    }
    s.run.get(100ms * (9 + count) + silence, "/last").answered(200);
  };
}

TEST(Cb6, refusals_do_not_open_the_breaker) {
  expect_rows("CB-6", {
                          {"traffic goes on", refused(404, 8, 100ms), Status::pass},
                          {"silence as long as the breaker's", refused(404, 8, 5s), Status::fail},
                          {"another pause", refused(404, 8, 60s), Status::pass},
                          {"too few in a row", refused(404, 4, 5s), Status::not_applicable},
                          {"429 may open it", refused(429, 8, 5s), Status::not_applicable},
                          {"so little load that silence is nothing",
                           [](Stage& s) {
                             s.run.served();
                             s.expect.silence = scenario::ExpectSilence{.after = 5, .lasts = 5s};
                             for (int i = 0; i < 20; ++i)
                               s.run.get(5s * i, target(i)).answered(404);
                           },
                           Status::pass},
                      });
}

void ask(Stage& s, Duration at, const std::string& host, int status) {
  journal::Attempt& attempt = s.run.get(at, "/" + host).answered(status).attempt();
  attempt.operation = host + std::to_string(at / 1ms);
  attempt.head = "GET /" + host + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
}

// One host fails for half a second and is left alone for five; another is asked ten times a second,
// but for a while.
auto two_hosts(Duration silent_from, Duration silent_until) {
  return [=](Stage& s) {
    s.run.served();
    s.expect.silence = scenario::ExpectSilence{.after = 5, .lasts = 5s};
    s.expect.disabled_rules = {"CLS-1"};
    for (Duration at{0}; at < 8s; at += 100ms) {
      const bool is_failing = at >= 1s && at < 1500ms;
      if (at < 1500ms || at >= 6600ms) ask(s, at, "a", is_failing ? 503 : 200);
      const bool is_silent = at >= silent_from && at < silent_until;
      if (!is_silent) ask(s, at + 50ms, "b", 200);
    }
  };
}

TEST(Cb5, another_host_is_not_silenced) {
  expect_rows("CB-5", {
                          {"traffic goes on", two_hosts(0s, 0s), Status::pass},
                          {"a short pause", two_hosts(2s, 3s), Status::pass},
                          {"silence as long", two_hosts(1500ms, 6500ms), Status::fail},
                          {"one host",
                           [](Stage& s) {
                             two_hosts(0s, 0s)(s);
                             std::erase_if(s.run.run().attempts, [](const journal::Attempt& one) {
                               return one.target == "/b";
                             });
                           },
                           Status::not_applicable},
                      });
}

// Clients that fail one after the other, each with one retry at `came(client, known)`.
auto crowd(Duration (*came)(Duration known, Random& random)) {
  return [=](Stage& s) {
    s.run.served();
    s.backoff(2s, 8s, scenario::Jitter::full);
    for (std::uint32_t i = 0; i < 300; ++i) {
      Random random = Random::stream(11, "client", i);
      const Duration at = 20ms * i;
      const std::string name = std::to_string(i);
      s.run.get(at).operation(name).answered(503);
      s.run.get(came(at + 1ms, random)).operation(name);
    }
    std::vector<journal::Attempt>& attempts = s.run.run().attempts;
    std::ranges::sort(attempts, {}, &journal::Attempt::first_byte);
    for (std::size_t n = 0; n < attempts.size(); ++n) attempts[n].id = n + 1;
  };
}

TEST(Herd2, retries_do_not_bunch) {
  const auto by_itself = [](Duration known, Random& random) {
    return known + random.between(0s, 2s);
  };
  const auto in_step = [](Duration known, Random& random) {
    const Duration at = (known + random.between(0s, 2s)) / 400ms * 400ms;
    return at > known + 20ms ? at : at + 400ms;
  };
  const auto with_a_budget = [=](Stage& s) {
    crowd(in_step)(s);
    s.expect.budget = scenario::ExpectBudget{.ratio = {2, 1}};
  };
  expect_rows("HERD-2", {
                            {"each by itself", crowd(by_itself), Status::pass},
                            {"in step", crowd(in_step), Status::advice},
                            {"a budget has a say", with_a_budget, Status::not_applicable},
                        });
}

// One attempt every `apart` for a minute; every tenth is accepted.
auto rejected(Duration apart) {
  return [=](Stage& s) {
    s.run.served();
    s.expect.throttle = scenario::ExpectThrottle{.ratio = {2, 1}, .window = 10s};
    s.expect.disabled_rules = {"CLS-1"};
    for (int i = 0; apart * i < 60s; ++i) {
      s.run.get(apart * i, target(i)).answered(i % 10 == 0 ? 200 : 503);
    }
  };
}

TEST(Th1, rejected_clients_throttle_themselves) {
  expect_rows("TH-1", {
                          {"ten a second, one of them accepted", rejected(100ms), Status::fail},
                          {"little more than its share", rejected(700ms), Status::pass},
                          {"all are accepted",
                           [](Stage& s) {
                             rejected(100ms)(s);
                             for (auto& attempt : s.run.run().attempts) {
                               attempt.planned.status = 200;
                             }
                           },
                           Status::pass},
                          {"too short",
                           [](Stage& s) {
                             rejected(100ms)(s);
                             s.expect.throttle->window = 40s;
                           },
                           Status::not_applicable},
                      });
}

// A hundred clients that failed at any time and retry once.
auto retried(const std::function<Duration(Duration failed, Random&)>& wait) {
  return [=](Stage& s) {
    s.backoff(1s, 8s, scenario::Jitter::any);
    s.expect.disabled_rules = {"BO-4"};
    s.run.served();
    Random random(3);
    for (int i = 0; i < 100; ++i) {
      const Duration at = 37ms * i;
      s.run.get(at, target(i)).answered(503, 1ms);
      s.run.get(at + 1ms + wait(at + 1ms, random), target(i)).answered(200);
    }
  };
}

TEST(Herd3, retries_do_not_fall_into_step) {
  expect_rows(
      "HERD-3",
      {
          {"from the failure on",
           retried([](Duration, Random& random) { return random.between(0s, 1s); }), Status::pass},
          {"always the same wait", retried([](Duration, Random&) { return 900ms; }), Status::pass},
          {"at the tick", retried([](Duration failed, Random&) { return 1s - failed % 1s; }),
           Status::fail},
          {"the failures had the beat already",
           [](Stage& s) {
             s.backoff(1s, 8s, scenario::Jitter::any);
             s.expect.disabled_rules = {"BO-4"};
             s.run.served();
             for (int i = 0; i < 100; ++i) {
               s.run.get(1s * i, target(i)).answered(503);
               s.run.get(1s * i + 950ms, target(i)).answered(200);
             }
           },
           Status::pass},
          {"too few",
           [](Stage& s) {
             s.backoff(1s, 8s, scenario::Jitter::any);
             s.failing({900ms, 1800ms});
           },
           Status::not_applicable},
      });
}

TEST(Herd4, after_an_outage_the_load_comes_back_evenly) {
  const auto after_outage = [](Duration apart) {
    return [=](Stage& s) {
      s.run.served();
      s.scenario.outages.push_back({.from = 0s, .until = 5s, .answer = {}});
      s.expect.herd = scenario::ExpectHerd{.peak = Ratio{3, 1}};
      for (int i = 0; i < 200; ++i) s.run.get(5s + apart * i, target(i));
    };
  };
  Stage even;
  after_outage(45ms)(even);
  EXPECT_EQ(result_of(even.judge(), "HERD-4").status, Status::pass);
  Stage rush;
  after_outage(1ms)(rush);
  EXPECT_EQ(result_of(rush.judge(), "HERD-4").status, Status::fail);
}

}  // namespace
}  // namespace retrylab::verify
