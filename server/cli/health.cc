// SPDX-License-Identifier: MIT
#include "server/cli/health.h"

#include <cstdlib>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <httplib.h>

#include "server/cli/flags.h"
#include "server/cli/print.h"

namespace retrylab::cli {
namespace {

constexpr int kTimeoutSeconds = 2;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The variables that tell `serve` its admin port tell this where to ask.
std::string default_url() {
  if (auto url = environment("RETRYLAB_ADMIN_URL"); !url.empty()) return url;
  if (const auto port = environment("RETRYLAB_ADMIN_PORT"); !port.empty()) {
    return "http://127.0.0.1:" + port;
  }
  return "";
}

// The library's own words are cut short.
std::string reason(httplib::Error error) {
  if (error == httplib::Error::Connection) return "cannot connect";
  if (error == httplib::Error::Read) return fmt::format("none within {} s", kTimeoutSeconds);
  return httplib::to_string(error);
}

// Why it is not well, or "".
std::string illness(const std::string& url) {
  httplib::Client client(url);
  if (!client.is_valid()) return "not a URL such as http://127.0.0.1:8081";
  client.set_connection_timeout(kTimeoutSeconds);
  client.set_read_timeout(kTimeoutSeconds);
  const auto answer = client.Get("/health");
  if (!answer) return "no answer: " + reason(answer.error());
  return answer->status == 200 ? "" : fmt::format("answered {}", answer->status);
}

// 0 or 1, as a container's health check wants it.
ExitCode ask(std::string url) {
  if (url.empty()) {
    return give_up({ErrorCode::invalid_argument, "health",
                    "which server? Give its admin URL, or set RETRYLAB_ADMIN_URL or "
                    "RETRYLAB_ADMIN_PORT"});
  }
  while (url.ends_with('/')) url.pop_back();
  const auto ill = illness(url);
  if (ill.empty()) return ExitCode::pass;
  print(stderr, "retrylab: {}: {}\n", url, ill);
  return ExitCode::failed;
}

}  // namespace

void add_health(CLI::App& app, ExitCode& code) {
  auto* command =
      add_subcommand(app, "health", "Ask a running server's admin port whether it is well.",
                     "  retrylab health http://127.0.0.1:8081\n"
                     "  RETRYLAB_ADMIN_PORT=8081 retrylab health\n");
  auto url = std::make_shared<std::string>();
  command->add_option("URL", *url, "Of the admin port (default: from the environment)")
      ->type_name("");
  command->callback([url, &code] { code = ask(url->empty() ? default_url() : *url); });
}

}  // namespace retrylab::cli
