// SPDX-License-Identifier: MIT
// The zoo: clients that are right but for one decision. Each names the one rule that has to catch
// it, and the server that brings its mistake to light. One file per family of rules.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "server/scenario/scenario.h"
#include "tests/zoo/right_client.h"

namespace retrylab::zoo {

// The server a client is shown to: one route and nothing expected beyond the rules, so that a
// plain expectation never hides which rule did the work.
struct Stage {
  std::string on = "GET /thing";
  std::string script;       // JSON array
  std::string route = "";   // further members of the route, each followed by a comma
  std::string expect = "";  // further members of `expect`, each followed by a comma
};

struct WrongClient {
  std::string name;
  std::string mistake;  // in words, for the table
  std::string rule;     // the only rule that fails
  Stage stage;
  std::function<void(Habits&)> change;
  scenario::Jitter jitter = scenario::Jitter::full;
  std::uint32_t runs = 1;        // one verdict is over so many runs (--repeat)
  std::uint32_t operations = 1;  // one client makes so many, one after another
  std::uint32_t clients = 1;     // so many at once in a run; the n-th starts n * apart later
  Duration apart{0};
  std::vector<std::string> also = {};  // plain expectations that say the same
};

std::vector<WrongClient> wrong_classification();  // CLS
std::vector<WrongClient> wrong_retry_after();     // RA
std::vector<WrongClient> wrong_backoff();         // BO
std::vector<WrongClient> wrong_attempts();        // AT
std::vector<WrongClient> wrong_idempotency();     // ID
std::vector<WrongClient> wrong_connections();     // CONN

// All of them, in the order of the rules.
std::vector<WrongClient> wrong_clients();

// The stage as the text of a scenario file.
std::string scenario_text(const WrongClient& client);

}  // namespace retrylab::zoo
