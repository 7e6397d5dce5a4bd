// SPDX-License-Identifier: MIT
#include "server/runner/command.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace retrylab::runner {
namespace {

// OpenSSL (and what is built on it), node, Python's requests, curl.
constexpr std::array kAuthorityNames{"RETRYLAB_CA", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS",
                                     "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"};

std::string with_url(std::string text, std::string_view url) {
  constexpr std::string_view kMark = "{url}";
  for (auto at = text.find(kMark); at != std::string::npos;
       at = text.find(kMark, at + url.size())) {
    text.replace(at, kMark.size(), url);
  }
  return text;
}

}  // namespace

Command make_command(const std::vector<std::string>& client,
                     const std::vector<std::string>& variables, const Target& target) {
  Command command;
  for (const auto& argument : client) {
    command.arguments.push_back(with_url(argument, target.url));
  }
  command.environment = {{"RETRYLAB_URL", target.url},
                         {"RETRYLAB_RUN", target.run},
                         {"RETRYLAB_OUTCOME", target.outcome_file}};
  if (!target.admin_url.empty()) {
    command.environment.emplace_back("RETRYLAB_ADMIN_URL", target.admin_url);
  }
  if (!target.authority_file.empty()) {
    for (const char* name : kAuthorityNames) {
      command.environment.emplace_back(name, target.authority_file);
    }
  }
  for (const auto& variable : variables) {
    const auto equals = variable.find('=');
    command.environment.emplace_back(variable.substr(0, equals),
                                     with_url(variable.substr(equals + 1), target.url));
  }
  return command;
}

Result<void> check_variable(const std::string& text) {
  const auto equals = text.find('=');
  if (equals != std::string::npos && equals > 0) return {};
  return fail(ErrorCode::invalid_argument, "--env",
              fmt::format("\"{}\" is not NAME=VALUE, such as PAYMENTS_URL={{url}}", text));
}

}  // namespace retrylab::runner
