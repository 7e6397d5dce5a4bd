// SPDX-License-Identifier: MIT
// The rest of the rules about attempts and keys: AT-4, AT-6 to AT-8, ID-6, ID-7, ID-9, ID-10.
#include <gtest/gtest.h>

#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;
using journal::Source;

const std::string kKey = "8e03978e-40d5-43e8-bc93-6894a57f9324";

TEST(At4, a_silent_server_is_given_up) {
  const auto left = [](Duration after) {
    return [=](Stage& s) {
      s.expect.attempt_timeout = 10s;
      s.run.get(0ms).left(after);
      s.run.client(ClientOutcome::failure, after + 1s);
    };
  };
  expect_rows("AT-4", {
                          {"in time", left(10s), Status::pass},
                          {"too late", left(12s), Status::fail},
                          {"the host explains it",
                           [&](Stage& s) {
                             left(12s)(s);
                             s.run.lag(1ms, 3s);
                           },
                           Status::inconclusive},
                          {"never, until it was stopped",
                           [](Stage& s) {
                             s.run.get(0ms).hangs();
                             s.run.client(ClientOutcome::hung, 90s);
                           },
                           Status::fail},
                          {"stopped before anyone would have given up",
                           [](Stage& s) {
                             s.run.get(0ms).hangs();
                             s.run.client(ClientOutcome::hung, 20s);
                           },
                           Status::inconclusive},
                          {"answered", [](Stage& s) { s.run.get(0ms); }, Status::not_applicable},
                      });
}

// It was read to its end, however long that took.
TEST(At4, an_answer_that_trickles_is_given_up) {
  const auto whole_after = [](Duration time) {
    return [=](Stage& s) {
      s.expect.attempt_timeout = 2s;
      s.run.get(0ms).answered(200, time);
      s.run.client(ClientOutcome::success, time + 10ms);
    };
  };
  expect_rows("AT-4", {
                          {"whole in time", whole_after(1990ms), Status::not_applicable},
                          {"whole too late", whole_after(2500ms), Status::fail},
                          {"as late as a timer", whole_after(2015ms), Status::pass},
                          {"the host explains it",
                           [&](Stage& s) {
                             whole_after(2500ms)(s);
                             s.run.lag(2400ms, 1s);
                           },
                           Status::inconclusive},
                          {"nobody said how long",
                           [&](Stage& s) {
                             whole_after(2500ms)(s);
                             s.expect.attempt_timeout.reset();
                           },
                           Status::not_applicable},
                      });
}

TEST(At6, hedges_keep_their_distance) {
  const auto hedged = [](Duration second, Duration third) {
    return [=](Stage& s) {
      s.expect.hedging_delay = 1s;
      s.run.get(0ms).answered(200, 3s);
      s.run.get(second).answered(200, 3s);
      if (third > 0s) s.run.get(third).answered(200, 3s);
    };
  };
  expect_rows("AT-6", {
                          {"a delay apart", hedged(1s, 2s), Status::pass},
                          {"too close", hedged(500ms, 2s), Status::fail},
                      });
}

TEST(At7, only_one_layer_retries) {
  const auto layered = [](Stage& s) {
    s.expect.attempts = scenario::CountRange{.max = 3};
    s.failing({100ms, 200ms, 2s, 100ms, 200ms, 2s, 100ms, 200ms});
  };
  expect_rows("AT-7", {
                          {"three times three", layered, Status::fail, "attempts"},
                          {"one layer",
                           [](Stage& s) {
                             s.expect.attempts = scenario::CountRange{.max = 3};
                             s.failing({100ms, 200ms});
                           },
                           Status::pass},
                      });
}

TEST(At8, the_counter_counts) {
  const auto counted = [](const std::vector<std::string>& all) {
    return [=](Stage& s) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        AttemptBuilder attempt = s.run.get(1s * static_cast<int>(i)).answered(503);
        if (!all[i].empty()) attempt.header("grpc-previous-rpc-attempts", all[i]);
      }
      s.run.get(60s);
      if (all.size() == 3) s.run.run().attempts.pop_back();
      s.expect.disabled_rules = {"CLS-1"};
    };
  };
  expect_rows("AT-8", {
                          {"right", counted({"", "1", "2"}), Status::pass},
                          {"stands still", counted({"", "1", "1"}), Status::advice},
                          {"none", counted({"", "", ""}), Status::not_applicable},
                      });
}

TEST(Id6, the_key_is_written_as_a_server_can_take_it) {
  const auto with_key = [](const std::string& key, bool strict) {
    return [=](Stage& s) {
      scenario::Route route;
      route.on.text = "POST /pay";
      route.idempotency = scenario::Idempotency{.strict_syntax = strict};
      s.scenario.routes = {route};
      s.run.post(0ms).key(key).answered(201);
    };
  };
  expect_rows("ID-6", {
                          {"bare", with_key(kKey, false), Status::pass},
                          {"quoted", with_key('"' + kKey + '"', true), Status::pass},
                          {"escaped", with_key(R"("a\"b\\c")" + std::string(), true), Status::pass},
                          {"bare where strict", with_key(kKey, true), Status::fail},
                          {"an open quote", with_key('"' + kKey, true), Status::fail},
                          {"too long", with_key(std::string(256, 'k'), false), Status::fail},
                          {"not ASCII", with_key("schl\xc3\xbcssel-schl\xc3\xbcssel-1", false),
                           Status::fail},
                      });
}

TEST(Id7, the_key_stores_refusals_are_understood) {
  const auto refused = [](int status, Source source, const std::string& next_key, Duration wait) {
    return [=](Stage& s) {
      AttemptBuilder first = s.run.post(0ms).answered(status).source(source);
      if (source == Source::key_missing) {
        first.attempt().route_has_store = true;
      } else {
        first.key(kKey);
      }
      AttemptBuilder again = s.run.post(1ms + wait).answered(201);
      again.attempt().route_has_store = true;
      if (!next_key.empty()) again.key(next_key);
    };
  };
  const auto hammered = [](const std::vector<Duration>& at) {
    return [=](Stage& s) {
      for (const Duration time : at) {
        s.run.post(time).answered(409).source(Source::key_in_flight).key(kKey);
      }
    };
  };
  expect_rows(
      "ID-7",
      {
          {"422, again the same", refused(422, Source::key_reused, kKey, 1s), Status::fail},
          {"400, again without", refused(400, Source::key_missing, "", 1s), Status::fail},
          {"400, now with a key", refused(400, Source::key_missing, kKey, 1s), Status::pass},
          {"409, after a while", refused(409, Source::key_in_flight, kKey, 1s), Status::pass},
          {"409, at once: full jitter may do so", refused(409, Source::key_in_flight, kKey, 1ms),
           Status::advice},
          {"409, at once twice: almost proof", hammered({0ms, 2ms, 4ms}), Status::advice},
          {"409, at once five times", hammered({0ms, 2ms, 4ms, 6ms, 8ms, 10ms}), Status::fail},
          {"409, at once where equal jitter is declared",
           [&](Stage& s) {
             s.backoff(1s, 8s, scenario::Jitter::equal);
             hammered({0ms, 2ms})(s);
           },
           Status::fail},
      });
}

TEST(Id9, a_replayed_success_is_the_result) {
  const auto replayed = [](bool again) {
    return [=](Stage& s) {
      s.run.post(0ms).key(kKey).created("payment").reset();
      s.run.post(1s).key(kKey).answered(201).source(Source::replay).attempt().replayed = true;
      if (again) s.run.post(2s).key(kKey).answered(201).source(Source::replay);
    };
  };
  expect_rows("ID-9", {
                          {"accepted", replayed(false), Status::pass},
                          {"asked for again", replayed(true), Status::fail},
                      });
}

TEST(Id10, an_expired_key_is_not_used_again) {
  const auto used_again = [](Duration after) {
    return [=](Stage& s) {
      scenario::Route route;
      route.on.text = "POST /pay";
      route.idempotency = scenario::Idempotency{.ttl = 60s};
      s.scenario.routes = {route};
      s.run.served();
      s.run.post(0ms).key(kKey).operation("a").answered(201);
      s.run.post(after).key(kKey).operation("b").answered(201);
    };
  };
  expect_rows("ID-10", {{"after its expiry", used_again(61s), Status::fail}});
  expect_rows("ID-4", {{"before it", used_again(59s), Status::fail}});
}

}  // namespace
}  // namespace retrylab::verify
