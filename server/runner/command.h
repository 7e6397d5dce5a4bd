// SPDX-License-Identifier: MIT
// What to start: a client's arguments and environment with the run's addresses filled in. Starts
// nothing.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client_lib/base/result.h"

namespace retrylab::runner {

struct Command {
  std::vector<std::string> arguments;                            // the program first; not empty
  std::vector<std::pair<std::string, std::string>> environment;  // added to this process's own
  std::optional<int> errors = std::nullopt;  // descriptor for standard error; else this process's
};

// The addresses of one client's run.
struct Target {
  std::string url;           // RETRYLAB_URL
  std::string admin_url;     // RETRYLAB_ADMIN_URL; "" : not set
  std::string run;           // RETRYLAB_RUN
  std::string outcome_file;  // RETRYLAB_OUTCOME
  // The certificate that a client has to trust, "" without TLS: RETRYLAB_CA, and the names by which
  // the libraries of several languages find it.
  std::string authority_file = "";
  // The request that the scenario wants, for clients that can be told: RETRYLAB_METHOD,
  // RETRYLAB_PATH, RETRYLAB_BODY. "": not set.
  std::string method = "";
  std::string path = "";
  std::string body = "";
  std::string key = "";  // RETRYLAB_KEY; "": the client need not send one
};

// Replaces every {url}, {method}, {path} and {body} in the arguments and in the values of
// `variables` ("NAME=VALUE") and adds the RETRYLAB_ variables. "%{method}" and "${url}" are other
// programs' own and stay. The variables are valid.
Command make_command(const std::vector<std::string>& client,
                     const std::vector<std::string>& variables, const Target& target);

// "NAME=VALUE" with a name that the environment allows; else what would be right.
Result<void> check_variable(const std::string& text);

}  // namespace retrylab::runner
