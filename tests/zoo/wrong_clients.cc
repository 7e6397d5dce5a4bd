// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "tests/zoo/wrong_client.h"

namespace retrylab::zoo {

std::vector<WrongClient> wrong_clients() {
  std::vector<WrongClient> all;
  for (const auto family : {wrong_classification, wrong_retry_after, wrong_backoff, wrong_jitter,
                            wrong_attempts, wrong_idempotency, wrong_connections, wrong_crowds}) {
    for (WrongClient& client : family()) all.push_back(std::move(client));
  }
  return all;
}

std::string scenario_text(const WrongClient& client) {
  const Stage& stage = client.stage;
  return fmt::format(R"({{
  "name": "{}",
  {}
  "routes": [ {{ "on": "{}", {} "script": {} }} ],
  "expect": {{ {} "client": "any" }}
}}
)",
                     client.name, stage.top, stage.on, stage.route, stage.script, stage.expect);
}

}  // namespace retrylab::zoo
