// SPDX-License-Identifier: MIT
#include "client_lib/cli/outcome_line.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "client_lib/base/sha256.h"

namespace retrylab::cli {
namespace {

using Json = nlohmann::ordered_json;

// Milliseconds to the microsecond.
double millis(Duration duration) {
  return std::round(static_cast<double>(duration.count()) / 1e3) / 1e3;
}

Json attempt_json(const AttemptRecord& record, Instant zero) {
  Json json{{"at_ms", millis(record.started - zero)},
            {"took_ms", millis(record.ended - record.started)}};
  if (record.failure == Failure::none) {
    json["status"] = record.status;
  } else {
    json["failure"] = word(record.failure);
    if (!record.detail.empty()) json["detail"] = record.detail;
  }
  if (record.wait) {
    json["wait_ms"] = millis(*record.wait);
    json["why"] = word(record.wait_cause);
  }
  return json;
}

}  // namespace

std::string outcome_line(const OperationResult& result) {
  Json json{{"outcome", result.ok() ? "success" : "failure"}};
  if (result.outcome && result.outcome->answered()) {
    json["status"] = result.outcome->response.status;
    json["body_sha256"] = to_hex(sha256(result.outcome->response.body));
  }
  json["reason"] = word(result.reason);
  if (!result.problem.empty()) json["problem"] = result.problem;
  if (!result.key.empty()) json["key"] = result.key;
  json["attempts"] = Json::array();
  for (const AttemptRecord& record : result.attempts) {
    json["attempts"].push_back(attempt_json(record, result.attempts.front().started));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace retrylab::cli
