// SPDX-License-Identifier: MIT
// A stage for one rule: a run told in a few lines, what the scenario expects, and what has to come
// out. A rule's test is a table of such rows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "server/verify/verdict.h"
#include "tests/server/journal/run_builder.h"

namespace retrylab::verify {

using journal::AttemptBuilder;
using journal::RunBuilder;
using ClientOutcome = journal::ClientEnd::Outcome;

struct Stage {
  Stage();

  // Any end of the client is fine, unless a row says otherwise.
  scenario::Scenario scenario;
  scenario::Expect& expect;
  RunBuilder run;
  std::vector<RunBuilder> more;  // further runs of --repeat

  Verdict judge(Statistics statistics = Statistics::where_possible) const;

  void backoff(Duration base, Duration cap, scenario::Jitter jitter);
  // Attempts of GET /thing: the first at zero, then one after each wait; all answered `status`.
  void failing(const std::vector<Duration>& waits, int status = 503);

  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
};

struct Row {
  std::string story;
  std::function<void(Stage&)> tell;
  Status status = Status::pass;
  std::string also = {};  // ids of plain expectations that fail with it, in order
};

// The rule has that status in each row. Where it fails, it is the only one that does; where it
// does not, none does.
void expect_rows(const std::string& id, const std::vector<Row>& rows);

// The same for plain expectations: other rules may not fail, evidence may be empty.
void expect_plain(const std::string& id, const std::vector<Row>& rows);

// The result of that rule.
RuleResult result_of(const Verdict& verdict, const std::string& id);

// Ids of the rules with that status, in order: "RA-1 attempts".
std::string ids_with(const Verdict& verdict, Status status);

}  // namespace retrylab::verify
