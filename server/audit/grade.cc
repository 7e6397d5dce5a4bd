// SPDX-License-Identifier: MIT
#include "server/audit/grade.h"

#include <algorithm>

namespace retrylab::audit {
namespace {

Grade grade_of(const TopicLine& line, bool has_grave) {
  const std::uint32_t judged = line.kept + line.broken + line.advised;
  if (judged == 0) return Grade::not_seen;
  if (has_grave || 2 * line.broken >= judged) {
    if (line.broken > 0) return Grade::f;
  }
  if (line.broken > 1 || (line.broken == 1 && judged < 4)) return Grade::d;
  if (line.broken == 1) return Grade::c;
  return line.advised > 0 ? Grade::b : Grade::a;
}

}  // namespace

TopicLine grade_topic(Topic topic, std::span<const RuleLine> rules) {
  TopicLine line{.topic = topic};
  bool has_grave = false;
  for (const RuleLine& rule : rules) {
    if (rule.topic != topic) continue;
    switch (rule.status) {
      case verify::Status::pass:
        ++line.kept;
        break;
      case verify::Status::fail:
        ++line.broken;
        has_grave = has_grave || is_grave(rule.id);
        break;
      case verify::Status::advice:
        ++line.advised;
        break;
      case verify::Status::inconclusive:
        ++line.untold;
        break;
      case verify::Status::not_applicable:
        break;
    }
  }
  line.grade = grade_of(line, has_grave);
  return line;
}

Grade overall_grade(std::span<const TopicLine> topics) {
  int sum = 0;
  int seen = 0;
  bool has_f = false;
  for (const TopicLine& line : topics) {
    if (line.grade == Grade::not_seen) continue;
    sum += static_cast<int>(line.grade);
    has_f = has_f || line.grade == Grade::f;
    ++seen;
  }
  if (seen == 0) return Grade::not_seen;
  const auto mean = static_cast<Grade>((sum + seen - 1) / seen);
  return has_f ? std::max(mean, Grade::c) : mean;
}

}  // namespace retrylab::audit
