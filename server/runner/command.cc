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

bool belongs_to_another(const std::string& text, std::size_t at) {
  return at > 0 && (text[at - 1] == '%' || text[at - 1] == '$');
}

void replace(std::string& text, std::string_view mark, std::string_view value) {
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    if (belongs_to_another(text, at)) {
      at += mark.size();
      continue;
    }
    text.replace(at, mark.size(), value);
    at += value.size();
  }
}

std::string filled_in(std::string text, const Target& target) {
  replace(text, "{url}", target.url);
  if (target.method.empty()) return text;
  replace(text, "{method}", target.method);
  replace(text, "{path}", target.path);
  replace(text, "{body}", target.body);
  return text;
}

}  // namespace

Command make_command(const std::vector<std::string>& client,
                     const std::vector<std::string>& variables, const Target& target) {
  Command command;
  for (const auto& argument : client) {
    command.arguments.push_back(filled_in(argument, target));
  }
  command.environment = {{"RETRYLAB_URL", target.url},
                         {"RETRYLAB_RUN", target.run},
                         {"RETRYLAB_OUTCOME", target.outcome_file}};
  const std::pair<const char*, const std::string&> wanted[] = {{"RETRYLAB_METHOD", target.method},
                                                               {"RETRYLAB_PATH", target.path},
                                                               {"RETRYLAB_BODY", target.body},
                                                               {"RETRYLAB_KEY", target.key}};
  for (const auto& [name, value] : wanted) {
    if (!value.empty()) command.environment.emplace_back(name, value);
  }
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
    const auto name = variable.substr(0, equals);
    // The user's word is the last: of two of one name some languages take the first.
    std::erase_if(command.environment, [&](const auto& ours) { return ours.first == name; });
    command.environment.emplace_back(name, filled_in(variable.substr(equals + 1), target));
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
