// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;

const std::string kKey = "8e03978e-40d5-43e8-bc93-6894a57f9324";
const std::string kOther = "2c1ae9d0-7b1d-4c55-9a4e-0f3b8de1a6c7";

// A POST without a key that came to such an end, and another one.
auto repeated(const std::function<void(AttemptBuilder)>& end) {
  return [end](Stage& s) {
    end(s.run.post(0ms));
    s.run.post(20s).answered(201);
  };
}

TEST(Id1, a_post_without_a_key_is_not_repeated_in_doubt) {
  expect_rows(
      "ID-1",
      {
          {"after a reset", repeated([](AttemptBuilder a) { a.reset(); }), Status::fail},
          {"after a close", repeated([](AttemptBuilder a) { a.closed(); }), Status::fail},
          {"after half a 201", repeated([](AttemptBuilder a) { a.truncated(201); }), Status::fail},
          {"after a timeout", repeated([](AttemptBuilder a) { a.left(10s); }), Status::fail},
          {"after rubbish", repeated([](AttemptBuilder a) { a.garbage(); }), Status::fail},
          {"after 502", repeated([](AttemptBuilder a) { a.answered(502); }), Status::fail},
          {"after 504", repeated([](AttemptBuilder a) { a.answered(504); }), Status::fail},
          {"PATCH is no other",
           [](Stage& s) {
             s.run.request(0ms, "PATCH", "/pay").reset();
             s.run.request(1s, "PATCH", "/pay");
           },
           Status::fail},
          {"a key that the route does not keep protects nothing",
           [](Stage& s) {
             s.run.post(0ms).header("Idempotency-Key", kKey).reset();
             s.run.post(1s).header("Idempotency-Key", kKey);
           },
           Status::fail},
          {"gives up",
           [](Stage& s) {
             s.run.post(0ms).reset();
             s.run.client(ClientOutcome::failure, 10ms);
           },
           Status::pass},
          {"with a key it may",
           [](Stage& s) {
             s.run.post(0ms).key(kKey).reset();
             s.run.post(1s).key(kKey).answered(201);
           },
           Status::not_applicable},
          {"a PUT may",
           [](Stage& s) {
             s.run.request(0ms, "PUT", "/thing").reset();
             s.run.request(1s, "PUT", "/thing");
           },
           Status::not_applicable},
          {"it was cut before it was whole: it cannot have been executed",
           repeated([](AttemptBuilder a) { a.body_never_read().reset(); }), Status::not_applicable},
          {"the reset did not take place",
           [](Stage& s) {
             s.run.post(0ms).left(1s).undelivered("reset at response_start");
             s.run.client(ClientOutcome::failure, 2s);
           },
           Status::inconclusive},
      });
}

TEST(Id2, a_post_without_a_key_is_not_repeated_when_refused) {
  expect_rows("ID-2",
              {
                  {"after 503", repeated([](AttemptBuilder a) { a.answered(503); }), Status::fail},
                  {"after 429", repeated([](AttemptBuilder a) { a.answered(429); }), Status::fail},
                  {"gives up",
                   [](Stage& s) {
                     s.run.post(0ms).answered(503);
                     s.run.client(ClientOutcome::failure, 10ms);
                   },
                   Status::pass},
                  {"with a key it may",
                   [](Stage& s) {
                     s.run.post(0ms).key(kKey).answered(503);
                     s.run.post(1s).key(kKey).answered(201);
                   },
                   Status::not_applicable},
                  {"a pragmatic profile lets it",
                   [](Stage& s) {
                     s.expect.profile = "openai";
                     repeated([](AttemptBuilder a) { a.answered(503); })(s);
                     s.run.run().attempts.back().first_byte = journal::instant(400ms);
                   },
                   Status::not_applicable},
              });
}

auto keys(const std::vector<std::string>& all) {
  return [all](Stage& s) {
    Duration at{0};
    for (const std::string& key : all) {
      AttemptBuilder attempt = s.run.post(at);
      attempt.attempt().route_has_store = true;
      if (!key.empty()) attempt.key(key);
      attempt.answered(at < Duration(1s) * static_cast<int>(all.size() - 1) ? 503 : 201);
      at += 1s;
    }
  };
}

TEST(Id3, the_key_stays_the_same) {
  expect_rows(
      "ID-3",
      {
          {"kept", keys({kKey, kKey, kKey}), Status::pass},
          {"changed", keys({kKey, kOther, kKey}), Status::fail},
          {"changed late", keys({kKey, kKey, kOther}), Status::fail},
          {"in capitals",
           keys({"8e03978e-40d5-43e8-bc93-6894a57f9324", "8E03978E-40D5-43E8-BC93-6894A57F9324"}),
           Status::fail},
          {"forgotten", keys({kKey, ""}), Status::fail},
          {"one attempt", keys({kKey}), Status::not_applicable},
          {"added after it was asked for",
           [](Stage& s) {
             AttemptBuilder first = s.run.post(0ms);
             first.answered(400).source(journal::Source::key_missing);
             first.attempt().route_has_store = true;
             s.run.post(1s).key(kKey).answered(503);
             s.run.post(2s).key(kKey).answered(201);
           },
           Status::pass},
          {"told apart by the key: not judged",
           [](Stage& s) {
             s.run.served();
             s.run.post(0ms).key(kKey).answered(503, 50ms);
             s.run.post(10ms).key(kOther).answered(503);
             s.run.post(1s).key(kKey).answered(503);
             s.run.post(1100ms).key(kOther).answered(201);
             s.run.post(2s).key(kKey).answered(201);
           },
           Status::not_applicable},
          {"served, and changed on the only retry",
           [](Stage& s) {
             s.run.served();
             keys({kKey, kOther})(s);
           },
           Status::fail},
          {"the scenario does not mind",
           [](Stage& s) {
             s.expect.idempotency_key.stable = false;
             keys({kKey, kOther})(s);
           },
           Status::not_applicable},
      });
}

// One run per key, each one operation.
auto operations(const std::vector<std::string>& all) {
  return [all](Stage& s) {
    s.run.post(0ms).key(all.front()).answered(201);
    for (std::size_t i = 1; i < all.size(); ++i) {
      s.more.emplace_back(static_cast<std::uint32_t>(i + 1));
      s.more.back().post(0ms).key(all[i]).answered(201);
    }
  };
}

TEST(Id4, each_operation_has_its_own_key) {
  expect_rows("ID-4", {
                          {"of their own", operations({kKey, kOther}), Status::pass},
                          {"the same", operations({kKey, kOther, kKey}), Status::fail},
                          {"only one", operations({kKey}), Status::not_applicable},
                          {"counting up",
                           operations({"payment-number-00000041", "payment-number-00000042",
                                       "payment-number-00000043"}),
                           Status::advice},
                          {"few bits", operations({"4711", "0815"}), Status::advice},
                          {"quoted is no other", operations({'"' + kKey + '"', '"' + kOther + '"'}),
                           Status::pass},
                          {"the scenario does not mind",
                           [](Stage& s) {
                             s.expect.idempotency_key.unique = false;
                             operations({kKey, kKey})(s);
                           },
                           Status::not_applicable},
                      });
}

TEST(Id5, the_request_stays_the_same) {
  expect_rows("ID-5", {
                          {"the same", keys({kKey, kKey}), Status::pass},
                          {"another body",
                           [](Stage& s) {
                             keys({kKey, kKey})(s);
                             s.run.run().attempts.back().body_sha256 = sha256("other");
                           },
                           Status::fail},
                          {"another target",
                           [](Stage& s) {
                             keys({kKey, kKey})(s);
                             s.run.run().attempts.back().target = "/pay?attempt=2";
                           },
                           Status::fail},
                          {"a body that never came whole is not compared",
                           [](Stage& s) {
                             s.run.post(0ms).key(kKey).body_never_read().reset();
                             s.run.post(1s).key(kKey).answered(201);
                           },
                           Status::pass},
                          {"one attempt", keys({kKey}), Status::not_applicable},
                      });
}

TEST(Id8, one_effect_per_operation) {
  expect_rows("ID-8", {
                          {"replayed after a lost answer",
                           [](Stage& s) {
                             s.run.post(0ms).key(kKey).created("payment").reset();
                             AttemptBuilder again =
                                 s.run.post(1s).key(kKey).executed().answered(201);
                             again.attempt().replayed = true;
                           },
                           Status::pass},
                          {"executed twice, by the store's fault or a ttl",
                           [](Stage& s) {
                             s.run.post(0ms).key(kKey).created("payment").reset();
                             s.run.post(1s).key(kKey).created("payment").answered(201);
                           },
                           Status::fail},
                          {"without a key it is ID-1's",
                           repeated([](AttemptBuilder a) { a.created("payment").answered(502); }),
                           Status::not_applicable, "ID-1"},
                          {"never executed",
                           [](Stage& s) {
                             s.run.post(0ms).key(kKey).answered(400);
                             s.run.client(ClientOutcome::failure, 10ms);
                           },
                           Status::not_applicable},
                      });
}

TEST(Conn1, a_broken_connection_is_not_used_again) {
  expect_rows("CONN-1", {
                            {"a new one after close",
                             [](Stage& s) {
                               s.run.get(0ms).connection(1).answered(503).closes_connection();
                               s.run.get(1s).connection(2);
                             },
                             Status::pass},
                            {"the old one after close",
                             [](Stage& s) {
                               s.run.get(0ms).connection(1).answered(503).closes_connection();
                               s.run.get(1s).connection(1, 2);
                             },
                             Status::fail},
                            {"a kept-alive one is fine",
                             [](Stage& s) {
                               s.run.get(0ms).connection(1).answered(503);
                               s.run.get(1s).connection(1, 2);
                             },
                             Status::not_applicable},
                            {"a new one after a reset",
                             [](Stage& s) {
                               s.run.get(0ms).connection(1).reset();
                               s.run.get(1s).connection(2);
                             },
                             Status::pass},
                        });
}

}  // namespace
}  // namespace retrylab::verify
