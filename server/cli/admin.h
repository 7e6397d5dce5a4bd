// SPDX-License-Identifier: MIT
// The flags of the admin API, and the API started from them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "client_lib/base/result.h"
#include "server/control/admin.h"
#include "server/control/live_runs.h"

namespace retrylab::cli {

struct AdminFlags {
  bool off = false;
  std::string listen = "127.0.0.1";
  std::uint16_t port = 0;
  std::string token_file;
  std::vector<std::string> hosts;
};

// --admin-listen, --admin-port, --no-admin, --admin-token-file, --admin-host.
void add_admin(CLI::App& command, AdminFlags& flags);

// Null with --no-admin. `runs` outlives it.
Result<std::unique_ptr<control::Admin>> start_admin(const AdminFlags& flags, control::Runs& runs);

// --redact
void add_redaction(CLI::App& command, std::vector<std::string>& headers);

// What those headers become is not the same in another process.
journal::Redaction make_redaction(std::vector<std::string> headers);

}  // namespace retrylab::cli
