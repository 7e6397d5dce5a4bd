// SPDX-License-Identifier: MIT
// The one-line log forms.
#include <fmt/format.h>

#include "client_lib/base/duration_text.h"
#include "client_lib/net/retry_client.h"

namespace retrylab {
namespace {

std::string what_came(Failure failure, int status) {
  return failure == Failure::none ? fmt::format("{}", status) : std::string(word(failure));
}

}  // namespace

std::string describe(const AttemptRecord& record) {
  std::string line = fmt::format("attempt {} {} {} {} in {}", record.number, record.method,
                                 record.url, what_came(record.failure, record.status),
                                 format_measured(record.ended - record.started));
  if (record.wait) {
    line += fmt::format(", waits {} ({})", format_measured(*record.wait), word(record.wait_cause));
  }
  return line;
}

std::string describe(const OperationResult& result) {
  const std::size_t count = result.attempts.size();
  std::string line = fmt::format("{} after {} attempt{}", result.ok() ? "succeeded" : "failed",
                                 count, count == 1 ? "" : "s");
  if (count > 0) {
    const Duration took = result.attempts.back().ended - result.attempts.front().started;
    line += fmt::format(" in {}", format_measured(took));
  }
  if (!result.ok()) line += fmt::format(": {}", word(result.reason));
  if (result.outcome) {
    line += fmt::format(", last {}",
                        what_came(result.outcome->failure, result.outcome->response.status));
  }
  if (!result.problem.empty()) line += fmt::format(": {}", result.problem);
  return line;
}

}  // namespace retrylab
