// SPDX-License-Identifier: MIT
#include "client_lib/cli/options.h"

#include <iostream>
#include <utility>

#include <CLI/CLI.hpp>

#include "client_lib/cli/policy_flags.h"

namespace retrylab::cli {
namespace {

constexpr int kUsage = 2;

constexpr const char* kAbout =
    "Sends one HTTP request and retries it as a policy says. Prints one JSON line on stdout:\n"
    R"({"outcome":"success|failure","status":..,"body_sha256":..,"reason":..,"attempts":[..]})"
    "\nExit code: 0 success, 1 failure, 2 usage.\n";

constexpr const char* kExample =
    "\nExample:\n"
    "  retrylab-client POST http://127.0.0.1:8080/v1/payments --json '{\"amount\": 5}' --key "
    "auto\n";

// The flags as they were written.
struct Written {
  std::string method;
  std::string url;
  std::string body;
  std::string json;
  std::string body_file;
  std::vector<std::string> headers;
  std::string key;
  std::string key_header = "Idempotency-Key";
  bool quoted_key = false;
  bool verbose = false;
  std::string transport = "httplib";
  std::string ca_file;
  std::optional<std::uint64_t> seed;
  PolicyFlags policy;
};

void add_flags(CLI::App& app, Written& written) {
  app.add_option("method", written.method, "GET, POST ...")->required();
  app.add_option("url", written.url, "http://... or https://...")->required();
  auto* body = app.add_option("--body", written.body, "The request's body");
  auto* json =
      app.add_option("--json", written.json, "The body, with Content-Type application/json");
  auto* file = app.add_option("--body-file", written.body_file, "The body from a file");
  body->excludes(json)->excludes(file);
  json->excludes(file);
  app.add_option("--header,-H", written.headers, "\"Name: value\"; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--key", written.key,
                 "Idempotency key: a value of yours, or \"auto\" for a new one");
  app.add_option("--key-header", written.key_header, "The key's header")->capture_default_str();
  app.add_flag("--quoted-key", written.quoted_key, "The key as a structured-field string");
  app.add_option("--transport", written.transport,
                 "httplib, or beast, which tells more failures apart")
      ->check(CLI::IsMember({"httplib", "beast"}))
      ->capture_default_str();
  app.add_option("--ca-file", written.ca_file, "PEM file to trust instead of the system's");
  app.add_option("--seed", written.seed, "Of the jitter; default: from the system");
  app.add_flag("--verbose,-v", written.verbose, "One line per attempt on stderr");
  add_policy_flags(app, written.policy);
}

Result<Header> parse_header(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos || colon == 0) {
    return fail(ErrorCode::invalid_argument, "--header", "write \"Name: value\"");
  }
  const auto value_at = text.find_first_not_of(" \t", colon + 1);
  const std::string value = value_at == std::string::npos ? "" : text.substr(value_at);
  return Header{text.substr(0, colon), value};
}

Result<Request> request_of(const Written& written) {
  Request request{.method = written.method, .url = written.url};
  for (const std::string& text : written.headers) {
    const Result<Header> header = parse_header(text);
    if (!header) return tl::unexpected(header.error());
    request.headers.push_back(*header);
  }
  request.body = written.json.empty() ? written.body : written.json;
  if (!written.body_file.empty()) {
    auto body = file_body(written.body_file);
    if (!body) return tl::unexpected(body.error());
    request.body_source = std::move(*body);
  }
  if (!written.json.empty() && !find_header(request.headers, "Content-Type")) {
    request.headers.push_back({"Content-Type", "application/json"});
  }
  request.make_key = written.key == "auto";
  if (!written.key.empty() && !request.make_key) {
    request.headers.push_back({written.key_header, written.key});
  }
  return request;
}

Result<Arguments> arguments_of(const Written& written) {
  Result<Request> request = request_of(written);
  if (!request) return tl::unexpected(request.error());
  Result<Policy> policy = policy_of(written.policy);
  if (!policy) return tl::unexpected(policy.error());
  ClientOptions client;
  client.policy = std::move(*policy);
  client.key_header = written.key_header;
  client.quoted_keys = written.quoted_key;
  client.seed = written.seed;
  return Arguments{
      .request = std::move(*request),
      .client = std::move(client),
      .transport = written.transport == "beast" ? TransportKind::beast : TransportKind::httplib,
      .transport_options = {.ca_file = written.ca_file},
      .verbose = written.verbose};
}

}  // namespace

Parsed parse_command_line(int argc, char** argv) {
  CLI::App app(kAbout, "retrylab-client");
  app.footer(kExample);
  Written written;
  add_flags(app, written);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return {.exit_code = app.exit(error, std::cout, std::cerr) == 0 ? 0 : kUsage};
  }
  Result<Arguments> arguments = arguments_of(written);
  if (!arguments) {
    const Error& error = arguments.error();
    std::cerr << "retrylab-client: " << error.where << (error.where.empty() ? "" : ": ")
              << error.message << "\n";
    return {.exit_code = kUsage};
  }
  return {.arguments = std::move(*arguments)};
}

}  // namespace retrylab::cli
