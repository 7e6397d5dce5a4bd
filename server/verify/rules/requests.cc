// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "client_lib/base/sha256.h"
#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/tally.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"

namespace retrylab::verify::rules {
namespace {

using scenario::ExpectRequest;

std::string subject(const ExpectRequest& expect) {
  return expect.header.empty() ? "the body" : expect.header;
}

std::string expected_text(const ExpectRequest& expect) {
  if (expect.absent) return "no " + subject(expect);
  if (expect.count) return fmt::format("{} {}", range_text(*expect.count), expect.header);
  return fmt::format("{} equal to \"{}\"", subject(expect), expect.equals.value_or(""));
}

struct Observation {
  bool is_right = false;
  std::string text;
};

Observation observe_body(const ExpectRequest& expect, const journal::Attempt& attempt) {
  const std::string text = fmt::format("a body of {} bytes", attempt.body_bytes);
  if (expect.absent) return {attempt.body_bytes == 0, text};
  if (!expect.equals) return {true, text};
  return {attempt.body_sha256 == sha256(*expect.equals), text};
}

Observation observe(const ExpectRequest& expect, const journal::Attempt& attempt) {
  if (expect.header.empty()) return observe_body(expect, attempt);
  const Headers headers = attempt.headers();
  const auto count = static_cast<std::uint64_t>(count_header(headers, expect.header));
  const auto value = find_header(headers, expect.header);
  const std::string text =
      value ? fmt::format("{}: {}", expect.header, *value) : "no " + expect.header;
  if (expect.absent) return {count == 0, text};
  if (expect.count) {
    return {is_within(*expect.count, count), fmt::format("{} of {}", count, expect.header)};
  }
  if (!expect.equals) return {value.has_value(), text};
  return {value == *expect.equals, text};
}

void judge_one(const Evidence& evidence, const ExpectRequest& expect,
               const OperationEvidence& operation, Tally& tally) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < operation.attempts.size(); ++i) {
    const AttemptEvidence& attempt = operation.in_order(i);
    if (!expect.route.empty() && attempt.record->planned.route != expect.route) continue;
    ++number;
    if (expect.attempt != 0 && expect.attempt != number) continue;
    const Observation seen = observe(expect, *attempt.record);
    if (seen.is_right) {
      tally.kept(attempt);
      continue;
    }
    tally.broke(attempt, std::nullopt, [&] {
      return Finding{expected_text(expect),
                     fmt::format("{} had {}", name_of(evidence, attempt), seen.text),
                     "Compare the client's request with what the scenario asks for."};
    });
  }
}

RuleResult judge(const Evidence& evidence) {
  const auto& all = evidence.scenario.expect.requests;
  if (all.empty()) return not_declared();
  Tally tally(evidence);
  for (const ExpectRequest& expect : all) {
    for (const OperationEvidence& operation : evidence.operations) {
      judge_one(evidence, expect, operation, tally);
    }
  }
  return tally.result({.expected = "requests as declared", .none = "no such attempt was made"});
}

}  // namespace

constinit const Rule kRequests{
    .id = "requests",
    .statement = "What the requests carry",
    .parameters = "requests",
    .decision = "A header or the body of the k-th attempt of each operation, on one route or any.",
    .is_of_progress = true,
    .judge = judge};

}  // namespace retrylab::verify::rules
