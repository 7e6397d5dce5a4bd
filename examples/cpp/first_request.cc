// SPDX-License-Identifier: MIT
// The first request: GET a URL with the default policy.
//
//   retrylab run two-503-then-success -- first_request {url}
#include <iostream>

#include "client_lib/net/retry_client.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: first_request URL\n";
    return 2;
  }
  const auto client = retrylab::RetryClient::make();
  if (!client) {
    std::cerr << client.error().message << "\n";
    return 2;
  }
  const retrylab::OperationResult result = (*client)->send({.url = argv[1]});
  std::cerr << describe(result) << "\n";
  return result.ok() ? 0 : 1;
}
