// SPDX-License-Identifier: MIT
// Where a client of the zoo meets a server in virtual time and is judged.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/scenario/scenario.h"
#include "server/verify/verdict.h"
#include "tests/zoo/habits.h"
#include "tests/zoo/wrong_client.h"

namespace retrylab::zoo {

// Loads a scenario that has to be right; aborts with its mistakes otherwise.
scenario::Scenario loaded(std::string_view text);

// The verdict on clients of these habits that make that call, each with a stream of its own.
verify::Verdict judge(const scenario::Scenario& scenario, const Habits& habits, const Call& call,
                      const Visit& visit);

// Clients before their stage, loaded once.
class Cage {
 public:
  explicit Cage(const WrongClient& client);
  Cage(scenario::Scenario scenario, Habits habits, Call call, Visit visit);

  // As its visit says, with that seed, on a host that is late by so much.
  verify::Verdict judge(std::uint64_t seed, Duration server_lateness = {}) const;

  // How long the longest run of a visit with that seed goes on in virtual time.
  Duration length(std::uint64_t seed) const;

  // The parts, for another driver: the clients of one run, and that run's seed.
  const scenario::Scenario& scenario() const { return scenario_; }
  const Visit& visit() const { return visit_; }
  std::uint64_t run_seed(std::uint64_t seed, std::uint32_t run) const;
  std::vector<std::unique_ptr<sim::Client>> clients(std::uint64_t run_seed) const;

 private:
  scenario::Scenario scenario_;
  Habits habits_;
  Call call_;
  Visit visit_;
};

// The same client without its mistake.
WrongClient mended(WrongClient client);

// The ids of the rules with that status, in the order of the verdict.
std::vector<std::string> ids_with(const verify::Verdict& verdict, verify::Status status);

// What failed and why, one line per rule: for the message of a test.
std::string story(const verify::Verdict& verdict);

}  // namespace retrylab::zoo
