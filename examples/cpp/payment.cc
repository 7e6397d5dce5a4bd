// SPDX-License-Identifier: MIT
// A payment that must not be made twice: an idempotency key, a deadline, and a log line for each
// attempt.
//
//   retrylab run charge-once-though-the-answer-is-lost -- payment {url}/v1/payments
#include <chrono>
#include <iostream>

#include "client_lib/net/retry_client.h"

int main(int argc, char** argv) {
  using namespace std::chrono_literals;
  if (argc != 2) {
    std::cerr << "usage: payment URL\n";
    return 2;
  }
  retrylab::ClientOptions options;
  options.policy.deadline = 20s;
  options.on_attempt = [](const retrylab::AttemptRecord& attempt) {
    std::cerr << describe(attempt) << "\n";
  };
  const auto client = retrylab::RetryClient::make(options);
  if (!client) {
    std::cerr << client.error().where << ": " << client.error().message << "\n";
    return 2;
  }
  const retrylab::OperationResult result =
      (*client)->send({.method = "POST",
                       .url = argv[1],
                       .headers = {{"Content-Type", "application/json"}},
                       .body = R"({"amount": 500, "currency": "EUR"})",
                       .make_key = true});
  std::cerr << describe(result) << "\n";
  return result.ok() ? 0 : 1;
}
