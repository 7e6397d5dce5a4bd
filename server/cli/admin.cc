// SPDX-License-Identifier: MIT
#include "server/cli/admin.h"

#include <cstdio>
#include <optional>
#include <random>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "server/cli/scenario_source.h"

namespace retrylab::cli {
namespace {

// The first line: editors end it with a line feed.
Result<std::string> read_token(const std::string& path) {
  auto text = read_file(path);
  if (!text) return text;
  std::string token = text->substr(0, text->find_first_of("\r\n"));
  constexpr std::size_t kTokenMin = 16;
  if (token.size() >= kTokenMin) return token;
  return fail(ErrorCode::invalid_argument, path, "a token has at least 16 characters");
}

}  // namespace

void add_admin(CLI::App& command, AdminFlags& flags) {
  command.add_flag("--no-admin", flags.off, "No admin API and no page");
  command.add_option("--admin-port", flags.port, "Port of the admin API (default: any free one)")
      ->option_text("PORT");
  command
      .add_option("--admin-listen", flags.listen,
                  "Address of the admin API (default 127.0.0.1); another host's needs a token")
      ->option_text("ADDRESS");
  command
      .add_option("--admin-token-file", flags.token_file,
                  "The token that the admin API asks for, in FILE")
      ->option_text("FILE");
  command
      .add_option("--admin-host", flags.hosts,
                  "A name by which the admin API may be called, besides localhost; repeatable")
      ->option_text("NAME")
      ->allow_extra_args(false);
}

Result<std::unique_ptr<control::Admin>> start_admin(const AdminFlags& flags, control::Runs& runs) {
  if (flags.off) return nullptr;
  std::optional<std::string> token;
  if (!flags.token_file.empty()) {
    auto read = read_token(flags.token_file);
    if (!read) return tl::unexpected(read.error());
    token = std::move(*read);
  }
  return control::Admin::start(
      {.listen = flags.listen,
       .port = flags.port,
       .security = {.hosts = flags.hosts, .token = std::move(token)},
       .say = [](std::string_view text) { fmt::print(stderr, "retrylab: {}\n", text); }},
      runs);
}

void add_redaction(CLI::App& command, std::vector<std::string>& headers) {
  command
      .add_option("--redact", headers,
                  "Hide this header's values in journal, page and reports, as those of\n"
                  "Authorization and Cookie are; idempotency keys stay. Repeatable")
      ->option_text("HEADER")
      ->allow_extra_args(false);
}

journal::Redaction make_redaction(std::vector<std::string> headers) {
  std::random_device entropy;
  std::string key;
  for (int i = 0; i < 4; ++i) key += fmt::format("{:08x}", entropy());
  return journal::Redaction(std::move(headers), std::move(key));
}

}  // namespace retrylab::cli
