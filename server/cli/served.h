// SPDX-License-Identifier: MIT
// A scenario that `serve` holds open: one run after another on the same port.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "client_lib/base/result.h"
#include "server/cli/journal_file.h"
#include "server/cli/scenario_source.h"
#include "server/cli/tls.h"
#include "server/control/live_runs.h"
#include "server/journal/ndjson.h"
#include "server/journal/record.h"
#include "server/scenario/scenario.h"

namespace retrylab::cli {

struct ServedOptions {
  std::string program;  // as it was called, for the command that replays a run
  std::string name;     // of the scenario, as it was asked for
  std::optional<std::uint64_t> seed;
  std::string listen = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one
  TlsFlags tls;
  bool main = false;  // its port leads to the other runs too
};

class Served {
 public:
  // `runs` and `journal`, which may be null, outlive it.
  Served(ServedOptions options, control::LiveRuns& runs, JournalFile* journal);

  // Whether start() may be called with it: what it needs of the command line is there.
  Result<void> accepts(const scenario::Scenario& scenario) const;

  // The first run, or the next one after stop(), with the port and the authority of the first.
  // Errors: ErrorCode::machine, or invalid_argument that names --tls.
  Result<void> start(LoadedScenario loaded);

  // No attempt is under way.
  bool is_idle() const;

  // The whole journal of the run; nothing when it was deleted over the admin API. Once after each
  // start().
  std::optional<journal::Run> stop();

  const std::string& name() const { return options_.name; }
  const scenario::Scenario& scenario() const { return *scenario_; }
  const control::RunInfo& run() const { return run_; }
  // "" without TLS.
  const std::string& authority_file() const { return tls_->authority_file(); }

 private:
  runs::RunOptions run_options();

  ServedOptions options_;
  control::LiveRuns& runs_;
  JournalFile* journal_;
  std::optional<Tls> tls_;
  std::shared_ptr<const scenario::Scenario> scenario_;
  std::unique_ptr<journal::NdjsonSink> sink_;
  control::RunInfo run_;
};

}  // namespace retrylab::cli
