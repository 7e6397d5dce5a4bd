// SPDX-License-Identifier: MIT
// The scorecard of an audit: every rule over all scenarios, a grade per topic and one for all.
// docs/audit.md defines the grades.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/audit/case.h"
#include "server/audit/infer/findings.h"
#include "server/audit/topic.h"
#include "server/verify/verdict.h"

namespace retrylab::audit {

enum class Grade { a, b, c, d, f, not_seen };

// A rule over all scenarios whose premise the client met.
struct RuleLine {
  std::string id;
  std::string statement;
  std::string source;
  Topic topic = Topic::errors;
  verify::Status status = verify::Status::not_applicable;
  std::uint32_t kept = 0;  // scenarios
  std::uint32_t broken = 0;
  std::uint32_t advised = 0;
  std::uint32_t untold = 0;            // inconclusive
  std::string evidence;                // what was observed, in one line
  std::string advice;                  // what to do about it
  std::vector<std::string> scenarios;  // that broke it, or advise, or could not tell
};

struct ScenarioLine {
  std::string name;
  std::string about;
  // not_applicable: the client does not meet its premise.
  verify::Status status = verify::Status::not_applicable;
  std::string reason;              // for not_applicable
  std::vector<std::string> rules;  // that are broken, or spoiled where nothing is
  std::size_t runs = 0;
  std::string client;   // how its processes ended, where that is worth a word: "hung"
  std::string command;  // that does the same again
};

struct TopicLine {
  Topic topic = Topic::errors;
  Grade grade = Grade::not_seen;
  std::uint32_t kept = 0;  // rules
  std::uint32_t broken = 0;
  std::uint32_t advised = 0;
  std::uint32_t untold = 0;
};

struct Scorecard {
  std::string client;  // its command line
  std::string profile;
  std::uint64_t seed = 0;
  bool quick = false;
  Duration took{0};
  Grade overall = Grade::not_seen;
  verify::Status status = verify::Status::pass;  // fail, inconclusive or pass
  std::vector<TopicLine> topics;
  std::vector<RuleLine> rules;  // those that had something to judge, in the order of RULES.md
  std::vector<ScenarioLine> scenarios;
  std::vector<std::string> notes;
  Findings findings;
};

// What the caller knows beyond the cases.
struct Audited {
  std::string client;
  std::string profile;
  std::uint64_t seed = 0;
  bool quick = false;
  Duration took{0};
  std::vector<std::string> notes;
};

Scorecard score(std::span<const Case> cases, Audited audited);

std::string_view word(Grade grade);   // "A", "not_seen"
std::string_view shown(Grade grade);  // "A", "not seen"

}  // namespace retrylab::audit
