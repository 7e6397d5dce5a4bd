// SPDX-License-Identifier: MIT
// retrylab-client: the reference client on the command line.
#include <iostream>
#include <memory>

#include "client_lib/cli/options.h"
#include "client_lib/cli/outcome_line.h"
#include "client_lib/net/beast_transport.h"
#include "client_lib/net/httplib_transport.h"
#include "client_lib/net/retry_client.h"
#include "client_lib/net/system_clock.h"

namespace {

std::unique_ptr<retrylab::Transport> transport_of(const retrylab::cli::Arguments& arguments) {
  switch (arguments.transport) {
    case retrylab::cli::TransportKind::httplib:
      break;
    case retrylab::cli::TransportKind::beast:
      return std::make_unique<retrylab::BeastTransport>(arguments.transport_options);
  }
  return std::make_unique<retrylab::HttplibTransport>(arguments.transport_options);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace retrylab;
  cli::Parsed parsed = cli::parse_command_line(argc, argv);
  if (!parsed.arguments) return parsed.exit_code;
  cli::Arguments& arguments = *parsed.arguments;
  if (arguments.verbose) {
    arguments.client.on_attempt = [](const AttemptRecord& record) {
      std::cerr << describe(record) << "\n";
    };
  }
  const std::unique_ptr<Transport> transport = transport_of(arguments);
  SystemClock clock;
  auto client = RetryClient::make(std::move(arguments.client), *transport, clock);
  if (!client) {
    std::cerr << "retrylab-client: " << client.error().where << ": " << client.error().message
              << "\n";
    return 2;
  }
  const OperationResult result = (*client)->send(std::move(arguments.request));
  std::cout << cli::outcome_line(result) << std::endl;
  if (arguments.verbose) std::cerr << describe(result) << "\n";
  if (result.reason == Reason::invalid_request) return 2;
  return result.ok() ? 0 : 1;
}
