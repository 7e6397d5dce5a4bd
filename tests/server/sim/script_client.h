// SPDX-License-Identifier: MIT
// A virtual client for tests: a fixed list of moves, and what came of them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/scenario/load.h"
#include "server/sim/virtual_run.h"

namespace retrylab::sim {

// Loads a scenario that has to be right.
scenario::Scenario loaded(std::string_view json);

// What a client saw, one line per outcome: "0.00004s 503", "5s timeout".
using Story = std::vector<std::string>;

// Makes the moves one after the other, then is done.
class ScriptClient final : public Client {
 public:
  ScriptClient(std::vector<Move> moves, Story& story) : moves_(std::move(moves)), story_(story) {}
  Move next(const Outcome* outcome, Instant now, WallTime wall) override;

 private:
  std::vector<Move> moves_;
  std::size_t at_ = 0;
  Story& story_;
};

Send get(std::string target);
Send post(std::string target, std::string key = "", std::string body = "{}");
Send with_timeout(Send send, Duration timeout);
SleepUntil until(Duration since_start);

struct Played {
  journal::Run run;
  std::vector<Story> stories;  // per client
};

// Runs one client per list of moves.
Played play(std::string_view json, const std::vector<std::vector<Move>>& clients,
            VirtualOptions options = {});

}  // namespace retrylab::sim
