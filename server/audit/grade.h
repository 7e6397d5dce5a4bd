// SPDX-License-Identifier: MIT
// How rules become grades:
//   A  every rule that had something to judge is kept
//   B  the same, with advice
//   C  one rule broken, of at least four
//   D  fewer than half are broken
//   F  half or more are broken, or a grave one is
// A topic of which no rule had anything to judge is "not seen". The overall grade is the mean of
// the topics that were seen, rounded to the worse, and at best C where one of them is F.
#pragma once

#include <span>

#include "server/audit/scorecard.h"

namespace retrylab::audit {

TopicLine grade_topic(Topic topic, std::span<const RuleLine> rules);
Grade overall_grade(std::span<const TopicLine> topics);

}  // namespace retrylab::audit
