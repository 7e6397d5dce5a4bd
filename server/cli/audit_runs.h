// SPDX-License-Identifier: MIT
// The client processes of an audit: each against a run of its own, many at a time, so that a client
// that sleeps holds up nobody.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "client_lib/base/result.h"
#include "server/audit/case.h"
#include "server/cli/progress.h"
#include "server/runner/supervisor.h"

namespace retrylab::cli {

struct AuditOptions {
  std::vector<std::string> client;
  std::vector<std::string> variables;
  std::uint32_t jobs = 1;      // processes at a time
  std::uint32_t starting = 1;  // of those, so many that have not connected yet: starting costs CPU
  std::uint64_t seed = 0;
  int errors = 2;  // descriptor for what clients write to standard error
};

// So many clients for a case.
struct AuditTask {
  audit::Case* one = nullptr;
  std::uint32_t repeat = 1;
};

// What is worth a word beyond the journals, summed up.
struct AuditRemarks {
  std::map<std::string, std::size_t> left_behind;  // scenario: processes that had to be ended
  std::uint64_t output_bytes = 0;
};

// Fills each task's `runs`, which it empties first. Fewer runs than asked for when a signal ended
// it. ErrorCode::machine when a client or a run cannot be started.
Result<void> run_audit(const std::vector<AuditTask>& tasks, const AuditOptions& options,
                       runner::Supervisor& supervisor, Progress& progress, AuditRemarks& remarks);

}  // namespace retrylab::cli
