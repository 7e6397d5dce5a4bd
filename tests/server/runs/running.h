// SPDX-License-Identifier: MIT
// A run over loopback from the text of a scenario.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "server/runs/live_run.h"
#include "server/scenario/scenario.h"

namespace retrylab::runs {

// Loads a scenario that has to be right.
scenario::Scenario parse(const std::string& text);

struct Running {
  explicit Running(const std::string& text, RunOptions options = {});
  const std::string& url() const { return run->urls().front(); }
  // Until `count` connections have been accepted and all are closed: a client can be gone before
  // the server has accepted it. Fails the test after half a minute.
  void wait_for_end_of_connections(std::size_t count = 1);

  scenario::Scenario scenario;
  Loop loop;
  std::unique_ptr<LiveRun> run;
};

}  // namespace retrylab::runs
