// SPDX-License-Identifier: MIT
// Ships the retry client: sends to a port where nothing listens and reads the reason.
#include <iostream>

#include "client_lib/net/retry_client.h"

int main() {
  retrylab::ClientOptions options;
  options.policy.attempts = 2;
  options.policy.backoff.base = std::chrono::milliseconds(1);
  auto client = retrylab::RetryClient::make(options);
  if (!client) return 2;
  const auto result = (*client)->send({.url = "http://127.0.0.1:1/"});
  std::cout << describe(result) << "\n";
  return result.reason == retrylab::Reason::attempts_exhausted ? 0 : 1;
}
