// SPDX-License-Identifier: MIT
// Every kind of mistake once over real sockets, and the right client beside it. All of them act at
// the same time, so that the whole takes as long as the slowest.
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/zoo/live/live_cage.h"

namespace retrylab::zoo {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kSeed = 1;
constexpr Duration kLongest = 10s;

// For each rule the client that takes least time.
std::vector<WrongClient> one_of_each_kind() {
  std::map<std::string, std::pair<Duration, WrongClient>> best;
  for (const WrongClient& client : wrong_clients()) {
    const Duration length = Cage(client).length(kSeed);
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

// Those whose right counterpart is as quick: it may wait where the wrong one does not.
std::vector<WrongClient> mended_ones(const std::vector<WrongClient>& clients) {
  std::vector<WrongClient> right;
  for (const WrongClient& client : clients) {
    right.push_back(mended(client));
    if (Cage(right.back()).length(kSeed) > kLongest) right.pop_back();
  }
  return right;
}

// The first `wrong` of them have their mistake.
std::vector<verify::Verdict> judge_all(const std::vector<WrongClient>& clients, std::size_t wrong) {
  runs::Loop loop;
  std::vector<verify::Verdict> verdicts(clients.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < clients.size(); ++i) {
    threads.emplace_back([&, i] {
      const auto judge = i < wrong && !clients[i].is_advice ? judge_wrong_live : judge_live;
      verdicts[i] = judge(Cage(clients[i]), loop, kSeed);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return verdicts;
}

// A busy host may leave a verdict inconclusive, but not turn it round.
void expect_caught(const WrongClient& client, const verify::Verdict& verdict) {
  SCOPED_TRACE(client.name + "\n" + story(verdict));
  const auto failed = ids_with(verdict, verify::Status::fail);
  std::set<std::string> allowed(client.also.begin(), client.also.end());
  if (!client.is_advice) allowed.insert(client.rule);
  // A statistic that loses waits to the host's lateness may leave the word to its neighbour.
  const bool is_spoiled = client.rule.starts_with("BO-") && verdict.worst_lag > 10ms;
  for (const std::string& id : failed) {
    if (is_spoiled && id.starts_with("BO-")) allowed.insert(id);
  }
  EXPECT_THAT(failed, testing::IsSubsetOf(allowed));
  if (client.is_advice || verdict.status == verify::Status::inconclusive) return;
  if (is_spoiled) {
    EXPECT_EQ(verdict.status, verify::Status::fail);
    return;
  }
  EXPECT_THAT(failed, testing::Contains(client.rule));
}

TEST(LiveZoo, every_kind_of_mistake_is_caught_and_nobody_else_is_blamed) {
  const std::vector<WrongClient> wrong = one_of_each_kind();
  const std::vector<WrongClient> right = mended_ones(wrong);
  EXPECT_GE(right.size() * 10, wrong.size() * 8);
  std::vector<WrongClient> all = wrong;
  all.insert(all.end(), right.begin(), right.end());
  const std::vector<verify::Verdict> verdicts = judge_all(all, wrong.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i < wrong.size()) {
      expect_caught(all[i], verdicts[i]);
    } else {
      EXPECT_NE(verdicts[i].status, verify::Status::fail) << all[i].name << '\n'
                                                          << story(verdicts[i]);
    }
  }
}

}  // namespace
}  // namespace retrylab::zoo
