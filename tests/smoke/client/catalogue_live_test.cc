// SPDX-License-Identifier: MIT
// The client as it ships, over both transports, against every scenario of the catalogue over
// loopback and in real time; all at once, since most of it is waiting.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "client_lib/base/sha256.h"
#include "client_lib/net/beast_transport.h"
#include "client_lib/net/httplib_transport.h"
#include "client_lib/net/retry_client.h"
#include "client_lib/net/system_clock.h"
#include "scenarios/catalogue.h"
#include "testing/mock_server.h"
#include "tests/client_lib/catalogue/request_for.h"

namespace retrylab {
namespace {

using testing::MockServer;

struct Lane {
  std::string name;
  std::unique_ptr<Transport> transport;
  std::unique_ptr<MockServer> server;
  OperationResult result;
};

void run(Lane& lane) {
  SystemClock clock;
  auto client = *RetryClient::make({}, *lane.transport, clock);
  const Asked asked = request_for(lane.server->scenario());
  lane.result = client->send({.method = asked.method,
                              .url = lane.server->url(asked.target),
                              .body = asked.body,
                              .make_key = asked.needs_key});
  if (lane.result.ok()) {
    const Response& response = lane.result.response();
    lane.server->client_succeeded(response.status, to_hex(sha256(response.body)));
  } else {
    lane.server->client_failed(std::string(word(lane.result.reason)));
  }
}

std::vector<Lane> lanes() {
  std::vector<Lane> lanes;
  for (const scenario::CatalogueEntry& entry : scenario::catalogue()) {
    for (const bool beast : {false, true}) {
      auto server = MockServer::start_text(entry.text);
      EXPECT_TRUE(server) << entry.name;
      std::unique_ptr<Transport> transport = std::make_unique<HttplibTransport>();
      if (beast) transport = std::make_unique<BeastTransport>();
      lanes.push_back({.name = std::string(entry.name) + (beast ? " over beast" : " over httplib"),
                       .transport = std::move(transport),
                       .server = std::move(*server),
                       .result = {}});
    }
  }
  return lanes;
}

TEST(CatalogueLive, every_scenario_passes_over_both_transports) {
  std::vector<Lane> all = lanes();
  {
    std::vector<std::jthread> threads;
    for (Lane& lane : all) threads.emplace_back([&lane] { run(lane); });
  }
  for (const Lane& lane : all) {
    // A loaded host can spoil evidence; what it cannot do is make a right client fail.
    EXPECT_NE(lane.server->verdict().status, verify::Status::fail)
        << lane.name << ": " << describe(lane.result) << "\n"
        << lane.server->report();
  }
}

}  // namespace
}  // namespace retrylab
