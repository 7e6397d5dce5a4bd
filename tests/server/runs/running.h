// SPDX-License-Identifier: MIT
// A run over loopback from the text of a scenario.
#pragma once

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
  // Until every connection so far is closed; gives up after a while.
  void wait_for_end_of_connections();

  scenario::Scenario scenario;
  Loop loop;
  std::unique_ptr<LiveRun> run;
};

}  // namespace retrylab::runs
