// SPDX-License-Identifier: MIT
#include "server/audit/topic.h"

#include <algorithm>
#include <cctype>

namespace retrylab::audit {
namespace {

struct Family {
  std::string_view prefix;
  Topic topic;
};

// The first that fits.
constexpr Family kFamilies[] = {
    {"RA-", Topic::retry_after},
    {"retry_after", Topic::retry_after},
    {"CLS-7", Topic::retry_after},
    {"BO-", Topic::backoff},
    {"HERD-", Topic::backoff},
    {"AT-", Topic::limits},
    {"BU-", Topic::limits},
    {"CB-", Topic::limits},
    {"TH-", Topic::limits},
    {"attempts", Topic::limits},
    {"total_time", Topic::limits},
    {"ID-", Topic::idempotency},
    {"created", Topic::idempotency},
    {"idempotency_key", Topic::idempotency},
    {"CONN-", Topic::connections},
    {"CLS-5", Topic::connections},
    {"connections", Topic::connections},
    {"concurrency", Topic::connections},
    {"", Topic::errors},
};

constexpr std::string_view kGrave[] = {"ID-1", "ID-3", "ID-5", "ID-8", "created", "CLS-10"};

}  // namespace

std::string_view word(Topic topic) {
  switch (topic) {
    case Topic::retry_after:
      return "retry_after";
    case Topic::backoff:
      return "backoff";
    case Topic::limits:
      return "limits";
    case Topic::idempotency:
      return "idempotency";
    case Topic::connections:
      return "connections";
    case Topic::errors:
      return "errors";
  }
  return "";
}

std::string_view title(Topic topic) {
  switch (topic) {
    case Topic::retry_after:
      return "Retry-After";
    case Topic::backoff:
      return "Backoff and jitter";
    case Topic::limits:
      return "Limits";
    case Topic::idempotency:
      return "Idempotency";
    case Topic::connections:
      return "Connections";
    case Topic::errors:
      return "Errors";
  }
  return "";
}

Topic topic_of(std::string_view rule) {
  return std::ranges::find_if(
             kFamilies, [rule](const Family& family) { return rule.starts_with(family.prefix); })
      ->topic;
}

bool is_plain(std::string_view rule) {
  return rule.empty() || std::isupper(static_cast<unsigned char>(rule.front())) == 0;
}

bool is_grave(std::string_view rule) {
  return std::ranges::find(kGrave, rule) != std::end(kGrave);
}

}  // namespace retrylab::audit
