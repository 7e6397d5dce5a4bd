// SPDX-License-Identifier: MIT
// The reported bugs: for each scenario of scenarios/bugs what a client has to be like to do right,
// and the mistake that was reported. caught_by.txt says which rule catches it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/zoo/habits.h"
#include "tests/zoo/wrong_client.h"

namespace retrylab::bugs {

using Change = std::function<void(zoo::Habits&)>;

struct Bug {
  std::string scenario;  // the file's name without .json
  Change mistake;
  // What a right client needs for this server beyond the general one.
  Change prepare = [](zoo::Habits&) {};
  zoo::Visit visit = {};
  scenario::Jitter jitter = scenario::Jitter::equal;
};

std::vector<Bug> bugs_of_waits();      // A: Retry-After and its kin
std::vector<Bug> bugs_of_backoff();    // B: backoff, deadlines, budgets
std::vector<Bug> bugs_of_bodies();     // C, E, F: bodies, keys, stale connections, hints
std::vector<Bug> bugs_of_downloads();  // D, H: truncation, redirects
std::vector<Bug> all_bugs();

// What the client understands of the server's wish.
using Asked = std::optional<Duration>;
Change asks(std::function<Asked(const zoo::Progress&, Asked right)> understood);
// The wait that the server asked for becomes another.
Change waits(std::function<Duration(Duration)> changed);
// Whether an outcome is worth another attempt.
Change retries(std::function<bool(const zoo::Progress&, bool right)> decided);
// What is sent.
Change sends(std::function<void(const zoo::Progress&, sim::Send&)> changed);

// The first value of that header in the last answer, or "".
std::string answer_header(const zoo::Progress& progress, const std::string& name);

}  // namespace retrylab::bugs
