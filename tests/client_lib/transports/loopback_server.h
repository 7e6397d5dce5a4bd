// SPDX-License-Identifier: MIT
// A run of a scenario over loopback, for tests of the client.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "server/runs/live_run.h"
#include "server/scenario/load.h"

namespace retrylab {

class LoopbackServer {
 public:
  using Files = std::map<std::string, std::string>;

  // `files` stands for what body_file names.
  explicit LoopbackServer(const std::string& text, Files files = {}) {
    const auto read = [&files](const std::string& path) -> Result<std::string> {
      const auto found = files.find(path);
      if (found != files.end()) return found->second;
      return fail(ErrorCode::machine, path, "no such file");
    };
    auto loaded = scenario::load(text, read);
    if (!loaded) {
      for (const auto& mistake : loaded.error()) ADD_FAILURE() << mistake.message << " in " << text;
      return;
    }
    scenario_ = std::make_unique<scenario::Scenario>(std::move(*loaded));
    auto run = runs::LiveRun::start(*scenario_, loop_, {});
    if (!run) {
      ADD_FAILURE() << run.error().message;
      return;
    }
    run_ = std::move(*run);
  }

  std::string url(const std::string& path) const { return run_->urls().front() + path; }
  journal::Run snapshot() const { return run_->snapshot(); }
  journal::Run stop() { return run_->stop(); }
  const scenario::Scenario& scenario() const { return *scenario_; }

 private:
  std::unique_ptr<scenario::Scenario> scenario_;
  runs::Loop loop_;
  std::unique_ptr<runs::LiveRun> run_;
};

}  // namespace retrylab
