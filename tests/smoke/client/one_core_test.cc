// SPDX-License-Identifier: MIT
// One core under two drivers: the client over loopback and the simulator's client make the same
// attempts, with the same waits between them, and end for the same reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "client_lib/net/retry_client.h"
#include "scenarios/catalogue.h"
#include "server/sim/client_seed.h"
#include "server/sim/herd.h"
#include "testing/mock_server.h"
#include "tests/client_lib/catalogue/request_for.h"

namespace retrylab {
namespace {

using testing::MockServer;

constexpr std::uint64_t kSeed = 7;

struct Attempt {
  Duration since_first{0};
  Duration wait{0};  // decided after it; zero: none
};

struct Course {
  std::vector<Attempt> attempts;
  std::string reason;
};

struct Lane {
  std::string name;
  std::unique_ptr<MockServer> server;
  Course live;
};

void run_live(Lane& lane) {
  auto client = *RetryClient::make({.seed = sim::client_seed(kSeed, 0)});
  const Asked asked = request_for(lane.server->scenario());
  const OperationResult result = client->send({.method = asked.method,
                                               .url = lane.server->url(asked.target),
                                               .body = asked.body,
                                               .make_key = asked.needs_key});
  for (const AttemptRecord& record : result.attempts) {
    lane.live.attempts.push_back(
        {record.started - result.attempts.front().started, record.wait.value_or(Duration(0))});
  }
  lane.live.reason = word(result.reason);
}

// From the event log: "TIME CLIENT attempt N", "TIME CLIENT waits NANOSECONDS", "TIME CLIENT REASON
// N".
Course run_virtual(const scenario::Scenario& scenario) {
  sim::EventLog log;
  sim::run_herd(scenario, {.policy = careful(), .seed = kSeed, .log = &log});
  Course course;
  std::istringstream lines(log.text());
  std::int64_t time = 0;
  std::int64_t number = 0;
  std::string client;
  std::string what;
  while (lines >> time >> client >> what >> number) {
    if (what == "attempt") {
      course.attempts.push_back({Duration(time), {}});
    } else if (what == "waits") {
      course.attempts.back().wait = Duration(number);
    } else {
      course.reason = what;
    }
  }
  return course;
}

// A wait until a date depends on where in its second the answer was made.
Duration tolerance(const scenario::Scenario& scenario) {
  const auto dated = [](const scenario::Step& step) {
    return step.retry_after && step.retry_after->date.has_value();
  };
  const bool any = std::ranges::any_of(scenario.routes, [&](const scenario::Route& route) {
    return std::ranges::any_of(route.script, dated);
  });
  return any ? Duration(std::chrono::seconds(2)) : Duration(0);
}

void compare(const Lane& lane) {
  SCOPED_TRACE(lane.name);
  const Course virtual_course = run_virtual(lane.server->scenario());
  const Course& live = lane.live;
  EXPECT_EQ(live.reason, virtual_course.reason);
  ASSERT_EQ(live.attempts.size(), virtual_course.attempts.size());
  const Duration waits_apart = tolerance(lane.server->scenario());
  // Of a loaded host, per attempt.
  const Duration lateness = std::chrono::milliseconds(250);
  for (std::size_t i = 0; i < live.attempts.size(); ++i) {
    const Attempt& real = live.attempts[i];
    const Attempt& simulated = virtual_course.attempts[i];
    EXPECT_LE(std::chrono::abs(real.wait - simulated.wait), waits_apart) << "wait " << i + 1;
    const auto apart = static_cast<std::int64_t>(i) * (lateness + waits_apart);
    EXPECT_LE(std::chrono::abs(real.since_first - simulated.since_first), apart)
        << "attempt " << i + 1;
  }
}

TEST(OneCore, the_same_attempts_and_waits_in_the_simulator_and_over_sockets) {
  std::vector<Lane> lanes;
  for (const scenario::CatalogueEntry& entry : scenario::catalogue()) {
    auto server = MockServer::start_text(entry.text, {.seed = kSeed});
    ASSERT_TRUE(server) << entry.name;
    lanes.push_back({.name = std::string(entry.name), .server = std::move(*server), .live = {}});
  }
  {
    std::vector<std::jthread> threads;
    for (Lane& lane : lanes) threads.emplace_back([&lane] { run_live(lane); });
  }
  for (const Lane& lane : lanes) compare(lane);
}

}  // namespace
}  // namespace retrylab
