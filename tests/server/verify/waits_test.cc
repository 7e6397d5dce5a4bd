// SPDX-License-Identifier: MIT
// The statistics of waits: BO-2, BO-4 to BO-10 and HERD-1, against clients drawn at random.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "client_lib/base/random.h"
#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;
using scenario::Jitter;
using ::testing::HasSubstr;

constexpr Duration kBase = 500ms;
constexpr Duration kCap = 8s;

Duration top(std::uint32_t retry) {
  return std::min<Duration>(kCap, kBase * (1 << (retry - 1)));
}

// The wait before that retry of that operation; the stream is the operation's own.
using Draw = std::function<Duration(std::uint32_t retry, Random& random)>;

Duration full(std::uint32_t retry, Random& random) {
  return random.between(0ms, top(retry));
}
Duration equal(std::uint32_t retry, Random& random) {
  return top(retry) / 2 + random.between(0ms, top(retry) / 2);
}
Duration none(std::uint32_t retry, Random&) {
  return top(retry);
}

// So many runs of one operation each, four retries.
auto repeated(std::uint32_t runs, Jitter declared, Draw draw, std::uint64_t seed = 1) {
  return [=](Stage& s) {
    s.backoff(kBase, kCap, declared);
    for (std::uint32_t i = 0; i < runs; ++i) {
      Random random = Random::stream(seed, "client", i);
      if (i > 0) s.more.emplace_back(i + 1);
      RunBuilder& run = i == 0 ? s.run : s.more.back();
      Duration at{0};
      run.get(at).answered(503);
      for (std::uint32_t retry = 1; retry <= 4; ++retry) {
        at += 1ms + draw(retry, random);  // one draw after the other, with every compiler
        at += random.between(0ms, 500us);
        run.get(at).answered(503);
      }
    }
  };
}

TEST(Waits, right_clients_of_every_kind_are_never_failed) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const auto& [declared, draw] : {std::pair<Jitter, Draw>(Jitter::full, full),
                                         {Jitter::equal, equal},
                                         {Jitter::none, none},
                                         {Jitter::any, full},
                                         {Jitter::any, equal}}) {
      for (const std::uint32_t runs : {1U, 4U, 12U, 40U}) {
        Stage stage;
        repeated(runs, declared, draw, seed)(stage);
        EXPECT_EQ(ids_with(stage.judge(), Status::fail), "") << "seed " << seed << " runs " << runs;
      }
    }
  }
}

// After a wait that the server asked for, one client goes on with its second ceiling, another with
// its first: who counts only its own waits is as right.
TEST(Waits, that_the_server_asked_for_count_or_do_not) {
  for (const auto& [jitter, draw] :
       {std::pair<Jitter, Draw>(Jitter::full, full), {Jitter::equal, equal}}) {
    for (const std::uint32_t counted : {0U, 1U}) {
      Stage stage;
      stage.backoff(kBase, kCap, jitter);
      for (std::uint32_t i = 0; i < 40; ++i) {
        Random random = Random::stream(5, "client", i);
        if (i > 0) stage.more.emplace_back(i + 1);
        RunBuilder& run = i == 0 ? stage.run : stage.more.back();
        run.get(0ms).answered(429).retry_after("2");
        Duration at = 2001ms;
        run.get(at).answered(503);
        for (std::uint32_t own = 1; own <= 3; ++own) {
          at += 1ms + draw(own + counted, random);
          run.get(at).answered(503);
        }
      }
      EXPECT_EQ(ids_with(stage.judge(), Status::fail), "") << counted;
    }
  }
}

TEST(Bo2, waits_do_not_shrink) {
  const auto shrinking = [](std::uint32_t retry, Random& random) {
    return retry == 3 ? random.between(0ms, top(1) / 4) : full(retry, random);
  };
  const auto undeclared = [](auto tell) {
    return [=](Stage& s) {
      tell(s);
      s.expect.backoff.reset();
    };
  };
  expect_rows("BO-2", {
                          {"grow", repeated(40, Jitter::full, full), Status::pass},
                          {"fall back at the third",
                           undeclared(repeated(40, Jitter::full, shrinking)), Status::fail},
                          {"too few", repeated(10, Jitter::full, full), Status::not_applicable},
                      });
}

TEST(Bo4, waits_are_jittered) {
  const auto lost_at_the_third = [](std::uint32_t retry, Random& random) {
    return retry >= 3 ? top(retry) : full(retry, random);
  };
  expect_rows(
      "BO-4",
      {
          {"full", repeated(12, Jitter::full, full), Status::pass},
          {"equal", repeated(12, Jitter::equal, equal), Status::pass},
          {"none", repeated(12, Jitter::full, none), Status::fail},
          {"half a second on top of eight, as urllib3 adds it",
           [](Stage& s) {
             repeated(12, Jitter::any, [](std::uint32_t, Random& random) {
               return 8s + random.between(0ms, 500ms);
             })(s);
             s.expect.backoff.reset();
           },
           Status::advice},
          {"lost at the third retry", repeated(12, Jitter::full, lost_at_the_third), Status::fail},
          {"none is declared", repeated(12, Jitter::none, none), Status::not_applicable},
          {"too few", repeated(3, Jitter::full, none), Status::not_applicable},
      });
  Stage stage;
  repeated(2, Jitter::full, none)(stage);
  EXPECT_EQ(result_of(stage.judge(), "BO-4").observed, "had 2 waits, needs 10: --repeat 10");
}

// The host was late when the first run's last retry came.
void blur_the_last(Stage& stage) {
  const Duration last = stage.run.run().attempts.back().first_byte.time_since_epoch();
  stage.run.lag(last + 5ms, 20ms);
}

TEST(Blurred, waits_that_might_have_been_enough_make_a_rule_inconclusive) {
  struct Row {
    const char* rule;
    std::uint32_t runs;
  };
  for (const auto& [rule, runs] : {Row{"BO-4", 10}, Row{"BO-2", 20}, Row{"BO-8", 10}}) {
    Stage stage;
    repeated(runs, Jitter::full, full)(stage);
    EXPECT_EQ(result_of(stage.judge(), rule).status, Status::pass) << rule;
    blur_the_last(stage);
    EXPECT_EQ(result_of(stage.judge(), rule).status, Status::inconclusive) << rule;
  }
}

TEST(Blurred, waits_of_one_retry_spoil_nothing_of_another) {
  Stage stage;
  repeated(12, Jitter::full, full)(stage);
  stage.run.get(30s).answered(503);  // a fifth retry, of one run alone
  blur_the_last(stage);
  EXPECT_EQ(result_of(stage.judge(), "BO-4").status, Status::pass);
}

TEST(RequiredStatistics, make_too_few_waits_inconclusive) {
  Stage stage;
  repeated(2, Jitter::full, full)(stage);
  EXPECT_EQ(result_of(stage.judge(), "BO-4").status, Status::not_applicable);
  const Verdict verdict = stage.judge(Statistics::required);
  EXPECT_EQ(result_of(verdict, "BO-4").status, Status::inconclusive);
  EXPECT_EQ(verdict.status, Status::inconclusive);
}

TEST(RequiredStatistics, leave_alone_what_has_nothing_to_do_with_samples) {
  Stage stage;
  repeated(2, Jitter::none, none)(stage);
  EXPECT_EQ(result_of(stage.judge(Statistics::required), "BO-4").status, Status::not_applicable);
}

TEST(RequiredStatistics, are_not_demanded_of_a_rule_that_is_turned_off) {
  Stage stage;
  repeated(2, Jitter::full, full)(stage);
  stage.expect.disabled_rules.push_back("BO-4");
  EXPECT_EQ(result_of(stage.judge(Statistics::required), "BO-4").status, Status::not_applicable);
}

TEST(Bo5, waits_use_the_range_of_their_jitter) {
  const auto one_low = [](std::uint32_t retry, Random& random) {
    return retry == 3 ? top(retry) / 3 : equal(retry, random);
  };
  expect_rows(
      "BO-5",
      {
          {"full", repeated(12, Jitter::full, full), Status::pass},
          {"equal", repeated(12, Jitter::equal, equal), Status::pass},
          {"equal where full is declared", repeated(12, Jitter::full, equal), Status::fail},
          {"one below half of its ceiling", repeated(1, Jitter::equal, one_low), Status::fail},
          {"nothing declared",
           [](Stage& s) {
             s.failing({100ms, 200ms});
           },
           Status::not_applicable},
      });
}

TEST(Bo6, the_kind_of_jitter_is_the_declared_one) {
  const auto three_quarters = [](std::uint32_t retry, Random& random) {
    return top(retry) * 3 / 4 + random.between(0ms, top(retry) / 4);
  };
  const auto on_top = [](std::uint32_t retry, Random& random) {
    return top(retry) + random.between(0ms, kBase);
  };
  expect_rows("BO-6", {
                          {"full", repeated(12, Jitter::full, full), Status::pass},
                          {"equal", repeated(12, Jitter::equal, equal), Status::pass},
                          {"none", repeated(12, Jitter::none, none), Status::pass},
                          {"75% to 100% where equal is declared",
                           repeated(20, Jitter::equal, three_quarters), Status::fail},
                          {"too few", repeated(3, Jitter::full, full), Status::not_applicable},
                      });
  Stage stage;
  repeated(20, Jitter::any, on_top)(stage);
  EXPECT_THAT(result_of(stage.judge(), "BO-6").observed,
              HasSubstr("look like jitter added on top"));
}

TEST(Bo7, waits_are_spread_evenly) {
  const auto low_half = [](std::uint32_t retry, Random& random) {
    return random.between(0ms, top(retry) * 6 / 10);
  };
  expect_rows("BO-7",
              {
                  {"evenly", repeated(20, Jitter::full, full), Status::pass},
                  {"the lower part only", repeated(20, Jitter::full, low_half), Status::fail},
              });
}

TEST(Bo8, each_wait_is_drawn_anew) {
  // One number per operation, used for every wait.
  const auto once = [](std::uint32_t retry, Random& random) {
    Random copy = random;
    const Duration share = copy.between(0ms, 1000ms);
    return top(retry) * share.count() / Duration(1000ms).count();
  };
  const auto told = [&](Stage& s) {
    s.backoff(kBase, kCap, Jitter::full);
    for (std::uint32_t i = 0; i < 30; ++i) {
      Random random = Random::stream(3, "client", i);
      if (i > 0) s.more.emplace_back(i + 1);
      RunBuilder& run = i == 0 ? s.run : s.more.back();
      Duration at{0};
      run.get(at).answered(503);
      for (std::uint32_t retry = 1; retry <= 4; ++retry) {
        at += 1ms + once(retry, random);
        run.get(at).answered(503);
      }
    }
  };
  expect_rows("BO-8", {
                          {"anew", repeated(30, Jitter::full, full), Status::pass},
                          {"once per operation", told, Status::fail},
                      });
}

TEST(Bo9, no_two_clients_have_one_seed) {
  const auto seeded = [](bool same) {
    return [=](Stage& s) {
      s.backoff(kBase, kCap, Jitter::full);
      for (std::uint32_t i = 0; i < 8; ++i) {
        Random random = Random::stream(5, "client", same && i == 7 ? 2 : i);
        if (i > 0) s.more.emplace_back(i + 1);
        RunBuilder& run = i == 0 ? s.run : s.more.back();
        Duration at{0};
        run.get(at).answered(503);
        for (std::uint32_t retry = 1; retry <= 4; ++retry) {
          at += 1ms + full(retry, random) + 100us * i;
          run.get(at).answered(503);
        }
      }
    };
  };
  expect_rows("BO-9", {
                          {"of their own", seeded(false), Status::pass},
                          {"two with one", seeded(true), Status::fail},
                          {"alone", repeated(1, Jitter::full, full), Status::not_applicable},
                      });
}

// curl: a second, two, four; no two timers end to the millisecond, and some do.
TEST(Bo9, a_client_without_jitter_has_no_seed) {
  const auto fixed = [](std::uint32_t runs, Duration late_once) {
    return [=](Stage& s) {
      for (std::uint32_t i = 0; i < runs; ++i) {
        if (i > 0) s.more.emplace_back(i + 1);
        RunBuilder& run = i == 0 ? s.run : s.more.back();
        Duration at{0};
        run.get(at).answered(503);
        for (std::uint32_t retry = 1; retry <= 4; ++retry) {
          at +=
              1ms + 1s * (1U << (retry - 1)) + 700us * i + (i == 1 && retry == 2 ? late_once : 0s);
          run.get(at).answered(503);
        }
      }
    };
  };
  expect_rows("BO-9", {
                          {"twice", fixed(2, 0s), Status::not_applicable},
                          {"five times", fixed(5, 0s), Status::not_applicable},
                          {"once its timer was late", fixed(3, 500ms), Status::not_applicable},
                      });
  Stage stage;
  fixed(4, 0s)(stage);
  const RuleResult result = result_of(stage.judge(), "BO-9");
  EXPECT_TRUE(result.lacks_samples);
  EXPECT_NE(result.observed.find("BO-4"), std::string::npos) << result.observed;
  EXPECT_NE(result.observed.find("--repeat 10"), std::string::npos) << result.observed;
}

TEST(Bo10, waits_are_not_rounded) {
  const auto rounded = [](std::uint32_t retry, Random& random) {
    return Duration(std::chrono::ceil<std::chrono::seconds>(full(retry + 2, random)));
  };
  const auto undeclared = [&](Stage& s) {
    repeated(20, Jitter::full, rounded)(s);
    s.expect.backoff.reset();
  };
  expect_rows("BO-10", {
                           {"fine", repeated(20, Jitter::full, full), Status::pass},
                           {"whole seconds", undeclared, Status::advice},
                       });
}

TEST(Herd1, those_who_failed_together_do_not_come_back_together) {
  const auto herd = [](std::function<Duration(Random&)> wait) {
    return [=](Stage& s) {
      s.backoff(kBase, kCap, Jitter::full);
      s.expect.backoff->cap.reset();
      s.run.herd(60);
      for (std::uint32_t i = 0; i < 60; ++i) {
        Random random = Random::stream(9, "client", i);
        s.run.get(Duration(i)).answered(503).listener(i);
        s.run.get(1ms + wait(random)).listener(i);
      }
    };
  };
  expect_rows("HERD-1",
              {
                  {"spread", herd([](Random& r) { return r.between(0ms, kBase); }), Status::pass},
                  {"half of them in a tenth of the time", herd([](Random& r) {
                     return r.chance({1, 2}) ? r.between(100ms, 150ms) : r.between(0ms, kBase);
                   }),
                   Status::fail},
                  {"too few", repeated(1, Jitter::full, full), Status::not_applicable},
              });
}

}  // namespace
}  // namespace retrylab::verify
