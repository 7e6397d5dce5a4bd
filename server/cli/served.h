// SPDX-License-Identifier: MIT
// A scenario that `serve` holds open: one run after another on the same port.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "client_lib/base/result.h"
#include "server/cli/journal_file.h"
#include "server/cli/tls.h"
#include "server/journal/ndjson.h"
#include "server/journal/record.h"
#include "server/runs/live_run.h"
#include "server/scenario/scenario.h"

namespace retrylab::cli {

struct ServedOptions {
  std::string program;  // as it was called, for the command that replays a run
  std::string name;     // of the scenario, as it was asked for
  std::optional<std::uint64_t> seed;
  std::string listen = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one
  bool tls = false;
};

class Served {
 public:
  // `loop` and `journal`, which may be null, outlive it.
  Served(ServedOptions options, runs::Loop& loop, JournalFile* journal);

  // Whether start() may be called with it: what it needs of the command line is there.
  Result<void> accepts(const scenario::Scenario& scenario) const;

  // The first run, or the next one after stop(), with the port and the authority of the first.
  // Errors: ErrorCode::machine, or invalid_argument that names --tls.
  Result<void> start(std::unique_ptr<scenario::Scenario> scenario);

  // No attempt is under way.
  bool is_idle() const { return run_->attempts_under_way() == 0; }

  // The whole journal of the run. Once after each start().
  journal::Run stop();

  const std::string& name() const { return options_.name; }
  const scenario::Scenario& scenario() const { return *scenario_; }
  const std::string& url() const { return run_->urls().front(); }
  // "" without TLS.
  const std::string& authority_file() const { return tls_->authority_file(); }

 private:
  runs::RunOptions run_options();

  ServedOptions options_;
  runs::Loop& loop_;
  JournalFile* journal_;
  std::uint32_t runs_ = 0;
  std::optional<Tls> tls_;
  std::unique_ptr<scenario::Scenario> scenario_;
  std::unique_ptr<journal::NdjsonSink> sink_;
  std::unique_ptr<runs::LiveRun> run_;
};

}  // namespace retrylab::cli
