// SPDX-License-Identifier: MIT
// The rest of the classification rules: CLS-4 to CLS-10.
#include <gtest/gtest.h>

#include "tests/server/verify/stage.h"

namespace retrylab::verify {
namespace {

using namespace std::chrono_literals;

// No attempt shows it: the client never got to send one.
TEST(Cls1, a_connection_that_was_cut_at_once_is_made_again) {
  const auto cut = [](std::uint32_t connections, ClientOutcome outcome) {
    return [=](Stage& s) {
      journal::Run& run = s.run.run();
      for (std::uint32_t id = 1; id <= connections; ++id) {
        journal::Connection& connection = run.connections.emplace_back();
        connection.id = id;
        connection.planned_faults = {"reset at accept"};
        connection.closed = journal::instant(1ms);
        connection.closed_by = journal::Connection::ClosedBy::server;
      }
      run.connections_opened = connections;
      s.expect.attempts = scenario::CountRange{.min = 1, .max = 1};
      s.expect.connections = scenario::CountRange{.min = 2};
      s.run.client(outcome, 10ms);
    };
  };
  const auto failed = [&](std::uint32_t connections, ClientOutcome outcome) {
    Stage stage;
    cut(connections, outcome)(stage);
    return ids_with(stage.judge(), Status::fail);
  };
  EXPECT_EQ(failed(1, ClientOutcome::failure), "CLS-1");
  EXPECT_EQ(failed(2, ClientOutcome::failure), "traffic");
  EXPECT_EQ(failed(1, ClientOutcome::hung), "connections traffic");
}

// Refused for its head: the body never came.
TEST(Cls2, what_was_refused_unread_is_not_repeated) {
  const auto twice = [](const std::string& first, const std::string& second) {
    return [=](Stage& s) {
      s.run.post(0ms).header("Content-Length", first).body_never_read().answered(413);
      s.run.post(200ms).header("Content-Length", second).body_never_read().answered(413);
    };
  };
  const auto served = [&](Stage& s) {
    twice("9000", "9000")(s);
    s.run.served();
  };
  const auto keyed = [](const std::string& second) {
    return [=](Stage& s) {
      s.run.served();
      s.run.post(0ms).key("one").header("A", "1").body_never_read().answered(413);
      s.run.post(200ms).key("one").header("A", second).body_never_read().answered(413);
    };
  };
  expect_rows("CLS-2", {
                           {"the same head", twice("9000", "9000"), Status::fail},
                           {"a shorter body", twice("9000", "80"), Status::pass},
                           {"perhaps another operation", served, Status::pass},
                           {"one key", keyed("1"), Status::fail},
                           {"one key, another head", keyed("2"), Status::pass},
                       });
}

TEST(Cls4, a_500_is_retried_only_where_declared) {
  const auto retried = [](const std::string& profile) {
    return [=](Stage& s) {
      s.expect.profile = profile;
      s.run.get(0ms).answered(500);
      s.run.get(450ms);
    };
  };
  expect_rows("CLS-4",
              {
                  {"careful", retried("careful"), Status::advice},
                  {"aws", retried("aws-standard-2.1"), Status::not_applicable},
                  {"not retried", [](Stage& s) { s.run.get(0ms).answered(500); }, Status::pass},
              });
}

TEST(Cls5, a_408_that_closed_is_repeated_on_a_new_connection) {
  const auto repeated = [](journal::ConnectionId second) {
    return [=](Stage& s) {
      s.run.get(0ms).connection(1).answered(408).closes_connection();
      s.run.get(1s).connection(second, second == 1 ? 2 : 1);
    };
  };
  expect_rows("CLS-5", {
                           {"on a new one", repeated(2), Status::pass},
                           {"on the old one", repeated(1), Status::fail},
                       });
}

TEST(Cls6, a_409_is_retried_while_in_progress_only) {
  const std::string key = "8e03978e-40d5-43e8-bc93-6894a57f9324";
  expect_rows(
      "CLS-6",
      {
          {"a plain one is final", [](Stage& s) { s.run.get(0ms).answered(409); }, Status::pass},
          {"a plain one is repeated",
           [](Stage& s) {
             s.run.get(0ms).answered(409);
             s.run.get(1s);
           },
           Status::fail},
          {"in progress, asks again",
           [&](Stage& s) {
             s.run.post(0ms).key(key).left(1s);
             s.run.post(2s).key(key).answered(409).source(journal::Source::key_in_flight);
             s.run.post(3s).key(key).answered(201);
           },
           Status::pass},
          {"in progress, gives up",
           [&](Stage& s) {
             s.expect.attempts = scenario::CountRange{.max = 5};
             s.run.post(0ms).key(key).left(1s);
             s.run.post(2s).key(key).answered(409).source(journal::Source::key_in_flight);
             s.run.client(ClientOutcome::failure, 3s);
           },
           Status::fail},
          {"a profile may repeat it",
           [](Stage& s) {
             s.expect.profile = "stripe";
             s.run.get(0ms).answered(409);
             s.run.get(500ms);
           },
           Status::not_applicable},
      });
}

TEST(Cls7, a_413_is_repeated_no_earlier_than_asked) {
  const auto repeated = [](Duration wait) {
    return [=](Stage& s) {
      s.run.get(0ms).answered(413).retry_after("2");
      s.run.get(1ms + wait);
    };
  };
  expect_rows("CLS-7", {
                           {"in time", repeated(2s), Status::pass},
                           {"too early", repeated(1s), Status::fail},
                       });
}

TEST(Cls8, a_425_is_not_repeated_early) {
  const auto repeated = [](bool early) {
    return [=](Stage& s) {
      s.run.get(0ms).header("Early-Data", "1").answered(425);
      AttemptBuilder again = s.run.get(1s);
      if (early) again.header("Early-Data", "1");
    };
  };
  expect_rows("CLS-8", {
                           {"after the handshake", repeated(false), Status::pass},
                           {"early again", repeated(true), Status::advice},
                       });
}

TEST(Cls9, the_servers_word_counts_where_the_profile_says_so) {
  const auto told = [](const std::string& profile, bool retry, bool retried) {
    return [=](Stage& s) {
      s.expect.profile = profile;
      AttemptBuilder first = s.run.get(0ms).answered(retry ? 400 : 503);
      first.hint("x-should-retry", retry ? "true" : "false");
      first.attempt().planned.should_retry_false = !retry;
      if (retried) s.run.get(450ms);
      s.run.client(retried ? ClientOutcome::success : ClientOutcome::failure, 1s);
    };
  };
  expect_rows("CLS-9",
              {
                  {"stops", told("openai", false, false), Status::pass},
                  {"goes on", told("openai", false, true), Status::fail},
                  {"retries a 400", told("openai", true, true), Status::pass},
                  {"does not", told("openai", true, false), Status::fail},
                  {"careful does not look", told("careful", false, true), Status::not_applicable},
              });
}

TEST(Cls10, a_broken_answer_is_no_success) {
  const auto ended = [](ClientOutcome outcome) {
    return [=](Stage& s) {
      s.run.get(0ms).truncated(200);
      s.run.client(outcome, 1s);
    };
  };
  expect_rows("CLS-10", {
                            {"reports a failure", ended(ClientOutcome::failure), Status::pass},
                            {"reports success", ended(ClientOutcome::success), Status::fail},
                            {"no client", [](Stage& s) { s.run.get(0ms).truncated(200); },
                             Status::not_applicable},
                        });
}

}  // namespace
}  // namespace retrylab::verify
