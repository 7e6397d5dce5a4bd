// SPDX-License-Identifier: MIT
// The policy on the command line: a preset, a file or JSON text, and single members on top.
#pragma once

#include <map>
#include <string>

#include <CLI/CLI.hpp>

#include "client_lib/base/result.h"
#include "client_lib/retry/policy.h"

namespace retrylab::cli {

struct PolicyFlags {
  std::string policy = "careful";
  std::map<std::string, std::string> members;  // by JSON name, as written
};

void add_policy_flags(CLI::App& app, PolicyFlags& flags);

Result<Policy> policy_of(const PolicyFlags& flags);

}  // namespace retrylab::cli
