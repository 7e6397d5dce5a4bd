// SPDX-License-Identifier: MIT
// The verdict on one or more runs of a scenario: what each rule expected, what was observed, and
// which attempts show it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "client_lib/base/time.h"
#include "server/journal/in_parallel.h"
#include "server/journal/operations.h"
#include "server/journal/record.h"
#include "server/scenario/scenario.h"

namespace retrylab::verify {

// inconclusive: evidence was spoiled (lag, an undelivered fault, a dropped journal).
// not_applicable: the rule had nothing to judge, or too few samples; `observed` says which.
enum class Status { pass, fail, inconclusive, advice, not_applicable };

struct AttemptRef {
  std::uint32_t run = 1;
  journal::AttemptId attempt = 0;
  friend bool operator==(const AttemptRef&, const AttemptRef&) = default;
};

struct RuleResult {
  std::string id;  // "RA-1", or the name of a plain expectation: "created"
  Status status = Status::not_applicable;
  std::string statement;  // the rule in one line
  std::string source;     // "RFC 9110 §10.2.3"; "" for plain expectations
  std::string expected;
  std::string observed;
  std::optional<Duration> missed_by;  // for timing rules
  std::vector<AttemptRef> attempts;   // the evidence
  std::string advice;                 // what to do about it, one sentence
  bool lacks_samples = false;         // a statistic that had too few: not_applicable
};

// The attempts of one operation, in order of arrival.
struct Operation {
  std::uint32_t run = 1;
  std::uint32_t number = 1;  // 1-based within the run
  std::string name;          // the value that identified it, "" for one per process
  std::vector<AttemptRef> attempts;
};

using journal::InParallel;
using journal::one_after_the_other;
using journal::Tasks;

// How attempts were grouped, in the order of preference.
using journal::Grouping;

struct Verdict {
  Status status = Status::pass;               // pass, fail or inconclusive
  std::string profile;                        // that the rules were taken from
  Grouping grouping = Grouping::one_process;  // the least sure way that was used
  std::vector<Operation> operations;
  std::vector<RuleResult> rules;  // in the order of RULES.md, then the plain expectations
  Duration worst_lag{0};
  std::vector<std::string> notes;  // steps left unused, journal dropped, ...
};

enum class Statistics {
  where_possible,  // one with too few samples is not_applicable
  required,        // it is inconclusive
};

// Pure: same scenario and runs, same verdict, whoever shares the work. `runs` is not empty.
Verdict verify(const scenario::Scenario& scenario, std::span<const journal::Run> runs,
               Statistics statistics = Statistics::where_possible,
               const InParallel& in_parallel = one_after_the_other);

// Of an inconclusive verdict: spoiled evidence may be sound the next time; too few samples stay too
// few.
bool may_end_otherwise(const Verdict& verdict);

std::string_view word(Status status);
using journal::word;

}  // namespace retrylab::verify
