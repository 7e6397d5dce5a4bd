// SPDX-License-Identifier: MIT
// A rule: one checkable statement about the evidence. Each has a file of its own in this folder,
// named after its id, which says what it decides and how. rules.cc lists them.
#pragma once

#include <span>
#include <string_view>

#include "server/verify/evidence.h"
#include "server/verify/verdict.h"

namespace retrylab::verify {

enum class Severity {
  rule,    // broken, it fails the run
  advice,  // broken, it is worth a word
};

struct Rule {
  std::string_view id;          // RULES.md's, or the name of a plain expectation
  std::string_view statement;   // in one line, for the client's author
  std::string_view source;      // "RFC 9110 §10.2.3"; "" for plain expectations
  std::string_view parameters;  // what of the scenario or profile it reads; "" : nothing
  std::string_view decision;    // when it fails, when it is inconclusive: for docs/rules.md
  Severity severity = Severity::rule;
  // Rules that, when they are broken, say already what this one would: the statistics of waits
  // look at the same waits from ever closer. Without cycles.
  std::span<const std::string_view> yields_to = {};
  // It judges how far a client got. Where this host was so late with an answer that the client
  // gave it up, that shows nothing of the client.
  bool is_of_progress = false;
  // Fills everything but id, statement and source.
  RuleResult (*judge)(const Evidence&) = nullptr;
};

}  // namespace retrylab::verify
