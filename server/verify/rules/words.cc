// SPDX-License-Identifier: MIT
#include "server/verify/rules/words.h"

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"

namespace retrylab::verify {

std::string name_of(const Evidence& evidence, const AttemptEvidence& attempt) {
  if (evidence.runs.size() == 1) return fmt::format("attempt {}", attempt.record->id);
  return fmt::format("run {}, attempt {}", attempt.record->run, attempt.record->id);
}

std::string operation_name(const Evidence& evidence, const OperationEvidence& operation) {
  std::string name =
      evidence.runs.size() == 1
          ? fmt::format("operation {}", operation.number)
          : fmt::format("run {}, operation {}", evidence.runs[operation.run].record->number,
                        operation.number);
  if (!operation.name.empty()) name += fmt::format(" ({})", operation.name);
  return name;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  if (count == 1) return fmt::format("1 {}", noun);
  // "operation with three retries": the first word is counted.
  if (const auto blank = noun.find(" with "); blank != std::string_view::npos) {
    return counted(count, noun.substr(0, blank)) + std::string(noun.substr(blank));
  }
  if (noun.ends_with("ry")) return fmt::format("{} {}ies", count, noun.substr(0, noun.size() - 1));
  return fmt::format("{} {}s", count, noun);
}

std::string time_text(Duration time) {
  if (time == kForever) return "for ever";
  return format_measured(time);
}

std::string range_text(const scenario::CountRange& range) {
  if (range.min && range.max) {
    return *range.min == *range.max ? fmt::format("exactly {}", *range.min)
                                    : fmt::format("{} to {}", *range.min, *range.max);
  }
  if (range.min) return fmt::format("at least {}", *range.min);
  if (range.max) return fmt::format("at most {}", *range.max);
  return "any number";
}

bool is_within(const scenario::CountRange& range, std::uint64_t count) {
  return (!range.min || count >= *range.min) && (!range.max || count <= *range.max);
}

std::string asking(const AttemptEvidence& attempt) {
  const auto& values = attempt.record->planned.retry_after;
  const std::string value = values.empty() ? "" : values.front();
  switch (attempt.asked.kind) {
    case RetryAfter::Kind::absent:
      return "asked for nothing";
    case RetryAfter::Kind::invalid:
      return values.size() > 1 ? fmt::format("had {} Retry-After lines", values.size())
                               : fmt::format("said Retry-After: {}", value);
    case RetryAfter::Kind::seconds:
      if (attempt.asked.wait > std::chrono::hours(24)) return fmt::format("asked for {}s", value);
      return fmt::format("asked for {}", time_text(attempt.asked.wait));
    case RetryAfter::Kind::date:
      return attempt.asked.past
                 ? fmt::format("named a date in the past, {}", value)
                 : fmt::format("named a date {} later", time_text(attempt.asked.wait));
  }
  return "";
}

std::string came_after(const Evidence& evidence, const Gap& gap) {
  const Duration wait = gap.wait_at_most.value_or(gap.wait_at_least.value_or(Duration(0)));
  std::string text = fmt::format("{} came {} after {}", name_of(evidence, *gap.after),
                                 time_text(wait), describe(gap.before->seen));
  if (gap.before->asked.kind != RetryAfter::Kind::absent) text += " that " + asking(*gap.before);
  return text;
}

std::string request_text(const AttemptEvidence& attempt) {
  return fmt::format("{} {}", attempt.record->method.str(), attempt.record->target.str());
}

}  // namespace retrylab::verify
