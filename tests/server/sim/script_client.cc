// SPDX-License-Identifier: MIT
#include "tests/server/sim/script_client.h"

#include <iostream>

#include "client_lib/base/check.h"
#include "client_lib/base/duration_text.h"

namespace retrylab::sim {

scenario::Scenario loaded(std::string_view json) {
  const scenario::ReadFile no_files = [](const std::string& path) -> Result<std::string> {
    return fail(ErrorCode::machine, path, "tests read no files");
  };
  auto scenario = scenario::load(json, no_files);
  if (!scenario) {
    for (const auto& mistake : scenario.error()) {
      std::cerr << scenario::describe("test", mistake) << "\n";
    }
  }
  CHECK(scenario.has_value());
  return *std::move(scenario);
}

Move ScriptClient::next(const Outcome* outcome, Instant now, WallTime) {
  if (outcome != nullptr) {
    const std::string what = outcome->answered() ? std::to_string(outcome->response.status)
                                                 : std::string(word(outcome->failure));
    std::string line = format_measured(now.time_since_epoch()) + " " + what;
    if (find_header(outcome->response.headers, "Idempotent-Replayed")) line += " replayed";
    story_.push_back(std::move(line));
  }
  if (at_ == moves_.size()) return Done{.success = true};
  return moves_[at_++];
}

Send get(std::string target) {
  Send send;
  send.target = std::move(target);
  return send;
}

Send post(std::string target, std::string key, std::string body) {
  Send send;
  send.method = "POST";
  send.target = std::move(target);
  send.body = std::move(body);
  if (!key.empty()) send.headers.push_back({"Idempotency-Key", std::move(key)});
  return send;
}

Send with_timeout(Send send, Duration timeout) {
  send.timeout = timeout;
  return send;
}

SleepUntil until(Duration since_start) {
  return {Instant() + since_start};
}

Played play(std::string_view json, const std::vector<std::vector<Move>>& clients,
            VirtualOptions options) {
  const scenario::Scenario scenario = loaded(json);
  Played played;
  played.stories.resize(clients.size());
  std::vector<std::unique_ptr<Client>> actors;
  for (std::size_t i = 0; i < clients.size(); ++i) {
    actors.push_back(std::make_unique<ScriptClient>(clients[i], played.stories[i]));
  }
  played.run = run_virtual(scenario, actors, options);
  return played;
}

}  // namespace retrylab::sim
