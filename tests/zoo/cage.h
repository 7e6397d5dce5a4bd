// SPDX-License-Identifier: MIT
// Where a client of the zoo meets a server in virtual time and is judged.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/scenario/scenario.h"
#include "server/verify/verdict.h"
#include "tests/zoo/right_client.h"
#include "tests/zoo/wrong_client.h"

namespace retrylab::zoo {

// Loads a scenario that has to be right; aborts with its mistakes otherwise.
scenario::Scenario loaded(std::string_view text);

struct Visit {
  std::uint64_t seed = 1;
  std::uint32_t runs = 1;
  std::uint32_t operations = 1;
  std::uint32_t clients = 1;
  Duration apart{0};
  Duration server_lateness{0};
};

// The verdict on clients of these habits, each a stream of its own.
verify::Verdict judge(const scenario::Scenario& scenario, const Habits& habits, const Visit& visit);
verify::Verdict judge(const WrongClient& client, std::uint64_t seed, Duration server_lateness = {});

// The ids of the rules that failed, in the order of the verdict.
std::vector<std::string> failed_rules(const verify::Verdict& verdict);

// What failed and why, one line per rule: for the message of a test.
std::string story(const verify::Verdict& verdict);

}  // namespace retrylab::zoo
