// SPDX-License-Identifier: MIT
// The zoo: clients that are right but for one decision. Each names the one rule that has to catch
// it, and the server that brings its mistake to light. One file per family of rules.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "server/scenario/scenario.h"
#include "tests/zoo/habits.h"

namespace retrylab::zoo {

// The server a client is shown to: one route and nothing expected beyond the rules, so that a
// plain expectation never hides which rule did the work.
struct Stage {
  std::string on = "GET /thing";
  std::string script;       // JSON array
  std::string route = "";   // further members of the route, each followed by a comma
  std::string expect = "";  // further members of `expect`, each followed by a comma
  std::string top = "";     // further members of the scenario, each followed by a comma
};

// How a stage is visited.
struct Visit {
  std::uint64_t seed = 1;
  std::uint32_t runs = 1;        // one verdict is over so many (--repeat)
  std::uint32_t operations = 1;  // one client makes so many, the n-th not before n * every
  Duration every{0};
  std::uint32_t clients = 1;  // so many in a run, the n-th starts n * apart later
  Duration apart{0};
  bool one_program = false;    // the clients share a budget and a breaker
  bool one_breaker = false;    // the same, though each asks another host
  bool one_operation = false;  // the clients are parallel attempts at the same thing
  bool one_seed = false;       // every second run draws the numbers of the one before
  Duration server_lateness{0};
};

struct WrongClient {
  std::string name;
  std::string mistake;  // in words, for the table
  std::string rule;     // the only rule that fails
  Stage stage;
  std::function<void(Habits&)> change;
  scenario::Jitter jitter = scenario::Jitter::full;
  // What makes the client right for this stage, where the general one is not.
  std::function<void(Habits&)> prepare = [](Habits&) {};
  Visit visit = {};
  // The mistake is worth a word and no failure.
  bool is_advice = false;
  // Plain expectations that say the same.
  std::vector<std::string> also = {};
};

// What a test that takes it as its parameter is called by.
inline void PrintTo(const WrongClient& client, std::ostream* out) {
  *out << client.name;
}

std::vector<WrongClient> wrong_classification();  // CLS
std::vector<WrongClient> wrong_retry_after();     // RA
std::vector<WrongClient> wrong_backoff();         // BO-1 to BO-3
std::vector<WrongClient> wrong_jitter();          // BO-4 to BO-10
std::vector<WrongClient> wrong_attempts();        // AT
std::vector<WrongClient> wrong_idempotency();     // ID
std::vector<WrongClient> wrong_connections();     // CONN
std::vector<WrongClient> wrong_crowds();          // BU, CB, HERD

// All of them, in the order of the rules.
std::vector<WrongClient> wrong_clients();

// The stage as the text of a scenario file.
std::string scenario_text(const WrongClient& client);

}  // namespace retrylab::zoo
