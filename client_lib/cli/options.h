// SPDX-License-Identifier: MIT
// The command line of retrylab-client as values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client_lib/base/result.h"
#include "client_lib/net/request.h"
#include "client_lib/net/retry_client.h"
#include "client_lib/net/transport.h"

namespace retrylab::cli {

enum class TransportKind { httplib, beast };

struct Arguments {
  Request request;
  ClientOptions client;
  TransportKind transport = TransportKind::httplib;
  TransportOptions transport_options;
  bool verbose = false;  // each attempt on standard error
};

struct Parsed {
  std::optional<Arguments> arguments;  // nothing: exit now with this code
  int exit_code = 0;
};

// Reads the command line. Help and mistakes are printed here; a mistake means exit code 2.
Parsed parse_command_line(int argc, char** argv);

}  // namespace retrylab::cli
