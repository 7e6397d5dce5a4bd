// SPDX-License-Identifier: MIT
// One audit from its flags to its scorecard: scenarios, clients, verdicts, a second look at what
// was inconclusive, the files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client_lib/base/time.h"
#include "server/cli/exit_code.h"
#include "server/cli/invocation.h"

namespace retrylab::cli {

struct AuditFlags {
  bool quick = false;
  std::string profile;
  std::uint32_t jobs = 16;
  std::optional<Duration> timeout;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> variables;
  std::vector<std::string> only;
  std::string json;
  std::string junit;
  std::string html;
  std::string markdown;
  std::string card;
  bool verbose = false;

  bool takes_stdout() const {
    return json == "-" || junit == "-" || html == "-" || markdown == "-" || card == "-";
  }
};

// The flags have been checked.
ExitCode run_audit_session(const AuditFlags& flags, const Invocation& invocation);

}  // namespace retrylab::cli
