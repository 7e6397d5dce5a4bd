// SPDX-License-Identifier: MIT
// Every kind of mistake once over real sockets, and the right client beside it. All of them act at
// the same time, so that the whole takes as long as the slowest.
#include <map>
#include <set>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/zoo/live/live_cage.h"

namespace retrylab::zoo {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kSeed = 1;
constexpr Duration kLongest = 10s;

// How long the longest run of the visit takes, from the simulator.
Duration length_of(const WrongClient& client) {
  const Cage cage(client);
  Duration longest{0};
  for (std::uint32_t i = 0; i < client.visit.runs; ++i) {
    longest = std::max(longest, cage.length(cage.run_seed(kSeed, i)));
  }
  return longest;
}

// For each rule the client that takes least time.
std::vector<WrongClient> one_of_each_kind() {
  std::map<std::string, std::pair<Duration, WrongClient>> best;
  for (const WrongClient& client : wrong_clients()) {
    const Duration length = length_of(client);
    const auto known = best.find(client.rule);
    if (known != best.end() && known->second.first <= length) continue;
    best.insert_or_assign(client.rule, std::pair(length, client));
  }
  std::vector<WrongClient> clients;
  for (auto& [rule, entry] : best) {
    EXPECT_LE(entry.first, kLongest) << rule << " has no client for a test in real time";
    clients.push_back(std::move(entry.second));
  }
  return clients;
}

std::vector<verify::Verdict> judge_all(const std::vector<WrongClient>& clients) {
  runs::Loop loop;
  std::vector<verify::Verdict> verdicts(clients.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < clients.size(); ++i) {
    threads.emplace_back([&, i] { verdicts[i] = judge_live(clients[i], loop, kSeed); });
  }
  for (std::thread& thread : threads) thread.join();
  return verdicts;
}

// A busy host may leave a verdict inconclusive, but not turn it round.
TEST(LiveZoo, every_kind_of_mistake_is_caught_by_its_rule_and_by_no_other) {
  const std::vector<WrongClient> clients = one_of_each_kind();
  const std::vector<verify::Verdict> verdicts = judge_all(clients);
  for (std::size_t i = 0; i < clients.size(); ++i) {
    SCOPED_TRACE(clients[i].name + "\n" + story(verdicts[i]));
    const auto failed = ids_with(verdicts[i], verify::Status::fail);
    std::set<std::string> allowed(clients[i].also.begin(), clients[i].also.end());
    if (!clients[i].is_advice) allowed.insert(clients[i].rule);
    EXPECT_THAT(failed, testing::IsSubsetOf(allowed));
    if (clients[i].is_advice || verdicts[i].status == verify::Status::inconclusive) continue;
    EXPECT_THAT(failed, testing::Contains(clients[i].rule));
  }
}

TEST(LiveZoo, right_clients_are_not_blamed) {
  std::vector<WrongClient> clients;
  for (const WrongClient& client : one_of_each_kind()) {
    const WrongClient right = mended(client);
    if (length_of(right) <= kLongest) clients.push_back(right);
  }
  const std::vector<verify::Verdict> verdicts = judge_all(clients);
  for (std::size_t i = 0; i < clients.size(); ++i) {
    EXPECT_NE(verdicts[i].status, verify::Status::fail) << clients[i].name << '\n'
                                                        << story(verdicts[i]);
  }
}

}  // namespace
}  // namespace retrylab::zoo
