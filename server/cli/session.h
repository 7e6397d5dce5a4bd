// SPDX-License-Identifier: MIT
// Client processes against live runs, from the first start to the last end. Judges nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client_lib/base/result.h"
#include "server/cli/admin.h"
#include "server/cli/journal_file.h"
#include "server/cli/scenario_source.h"
#include "server/journal/record.h"
#include "server/net/certificates.h"
#include "server/runner/supervisor.h"
#include "server/scenario/scenario.h"

namespace retrylab::cli {

struct SessionOptions {
  std::vector<std::string> client;     // the program and its arguments
  std::vector<std::string> variables;  // "NAME={url}"
  std::uint32_t repeat = 1;            // clients one after another, each against its own run
  std::optional<std::uint32_t> herd;   // instead: so many at once against one run
  std::uint32_t jobs = 1;              // of `repeat`, so many at a time
  std::uint64_t seed = 0;
  std::string listen = "127.0.0.1";
  std::uint16_t port = 0;
  std::string command;  // that replays it
  std::shared_ptr<const net::Identities> tls = nullptr;
  std::string authority_file = "";
  std::string program;  // as it was called
  AdminFlags admin;
  std::vector<std::string> redacted;
};

// The runs in the order of their numbers; fewer than asked for when a signal ended it. `journal`
// may be null.
Result<std::vector<journal::Run>> run_session(const LoadedScenario& scenario,
                                              const SessionOptions& options,
                                              runner::Supervisor& supervisor, JournalFile* journal);

}  // namespace retrylab::cli
