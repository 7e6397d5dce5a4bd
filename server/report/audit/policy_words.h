// SPDX-License-Identifier: MIT
// What was found out of a client's policy, in words.
#pragma once

#include <string>
#include <vector>

#include "server/audit/infer/findings.h"

namespace retrylab::report {

struct PolicyFact {
  std::string name;  // "attempts"
  std::string text;  // "5 at most (24 operations)"
};

// Every property, those that were not seen too.
std::vector<PolicyFact> policy_facts(const audit::Findings& findings);

}  // namespace retrylab::report
