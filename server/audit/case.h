// SPDX-License-Identifier: MIT
// One scenario of an audit with what came of it. Everything an audit says is made of these.
#pragma once

#include <string>
#include <vector>

#include "server/journal/record.h"
#include "server/scenario/scenario.h"
#include "server/verify/verdict.h"

namespace retrylab::audit {

struct Case {
  scenario::Scenario scenario;
  std::vector<journal::Run> runs;  // empty: it was not run
  verify::Verdict verdict;         // on the runs
  std::string command;             // that does the same again
};

}  // namespace retrylab::audit
