// SPDX-License-Identifier: MIT
#include "client_lib/cli/options.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "client_lib/retry/policy_json.h"

namespace retrylab::cli {
namespace {

using namespace std::chrono_literals;

Parsed parse(std::vector<std::string> words) {
  words.insert(words.begin(), "retrylab-client");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Parsed parsed = parse_command_line(static_cast<int>(arguments.size()), arguments.data());
  ::testing::internal::GetCapturedStdout();
  ::testing::internal::GetCapturedStderr();
  return parsed;
}

Arguments good(const std::vector<std::string>& words) {
  Parsed parsed = parse(words);
  EXPECT_TRUE(parsed.arguments);
  return parsed.arguments ? std::move(*parsed.arguments) : Arguments{};
}

const std::string kUrl = "http://127.0.0.1:1/";

TEST(Options, method_and_url_are_enough) {
  const Arguments arguments = good({"GET", kUrl});
  EXPECT_EQ(arguments.request.method, "GET");
  EXPECT_EQ(arguments.request.url, kUrl);
  EXPECT_FALSE(arguments.request.make_key);
  EXPECT_EQ(policy_to_json(arguments.client.policy), policy_to_json(careful()));
}

TEST(Options, headers_and_bodies) {
  const Arguments arguments = good(
      {"POST", kUrl, "-H", "X-One: 1", "--header", "X-Two:2", "-H", "X-Empty:", "--json", "{}"});
  EXPECT_EQ(
      arguments.request.headers,
      (Headers{
          {"X-One", "1"}, {"X-Two", "2"}, {"X-Empty", ""}, {"Content-Type", "application/json"}}));
  EXPECT_EQ(arguments.request.body, "{}");
  EXPECT_EQ(good({"POST", kUrl, "--body", "text"}).request.body, "text");
  const Arguments typed = good({"POST", kUrl, "--json", "{}", "-H", "content-type: application/x"});
  EXPECT_EQ(count_header(typed.request.headers, "Content-Type"), 1);
}

TEST(Options, a_body_may_come_from_a_file) {
  const std::string path = ::testing::TempDir() + "retrylab_body_file";
  std::ofstream(path) << "from a file";
  EXPECT_EQ(good({"PUT", kUrl, "--body-file", path}).request.body_source->size(), 11U);
}

TEST(Options, keys_are_made_or_given) {
  EXPECT_TRUE(good({"POST", kUrl, "--key", "auto"}).request.make_key);
  const Arguments given = good({"POST", kUrl, "--key", "mine", "--key-header", "X-Key"});
  EXPECT_FALSE(given.request.make_key);
  EXPECT_EQ(find_header(given.request.headers, "X-Key"), "mine");
  EXPECT_EQ(given.client.key_header, "X-Key");
}

TEST(Options, single_members_go_on_top_of_a_policy) {
  const Policy policy = good({"GET",
                              kUrl,
                              "--policy",
                              "grpc",
                              "--attempts",
                              "3",
                              "--base",
                              "20ms",
                              "--factor",
                              "1.5",
                              "--cap",
                              "2s",
                              "--jitter",
                              "equal",
                              "--deadline",
                              "none",
                              "--attempt-timeout",
                              "1s",
                              "--retry-after",
                              "clamp",
                              "--statuses",
                              "429,503",
                              "--methods",
                              "GET,PUT",
                              "--retry-after-headers",
                              "retry-after,ratelimit",
                              "--budget",
                              "null",
                              "--redirects",
                              "2"})
                            .client.policy;
  EXPECT_EQ(policy.attempts, 3U);
  EXPECT_EQ(policy.backoff.base, 20ms);
  EXPECT_EQ(policy.backoff.factor_thousandths, 1500);
  EXPECT_EQ(policy.backoff.cap, 2s);
  EXPECT_EQ(policy.backoff.jitter, Jitter::equal);
  EXPECT_EQ(policy.deadline, kForever);
  EXPECT_EQ(policy.attempt_timeout, 1s);
  EXPECT_EQ(policy.server_wait.rule, RetryAfterRule::clamp);
  EXPECT_EQ(policy.statuses, StatusSet({429, 503}));
  EXPECT_EQ(policy.methods, (std::vector<std::string>{"GET", "PUT"}));
  EXPECT_TRUE(policy.server_wait.headers.ratelimit);
  EXPECT_FALSE(policy.budget);
  EXPECT_EQ(policy.redirects, 2U);
}

TEST(Options, the_transport_may_be_chosen) {
  EXPECT_EQ(good({"GET", kUrl}).transport, TransportKind::httplib);
  const Arguments arguments = good({"GET", kUrl, "--transport", "beast", "--ca-file", "ca.pem"});
  EXPECT_EQ(arguments.transport, TransportKind::beast);
  EXPECT_EQ(arguments.transport_options.ca_file, "ca.pem");
  EXPECT_TRUE(arguments.transport_options.verify_certificates);
}

TEST(Options, a_policy_is_a_preset_a_file_or_text) {
  const std::string path = ::testing::TempDir() + "retrylab_policy.json";
  std::ofstream(path) << R"({"attempts": 7})";
  EXPECT_EQ(good({"GET", kUrl, "--policy", path}).client.policy.attempts, 7U);
  EXPECT_EQ(good({"GET", kUrl, "--policy", R"({"attempts": 8})"}).client.policy.attempts, 8U);
  EXPECT_EQ(good({"GET", kUrl, "--policy", "aws_standard_2_1"}).client.policy.attempts, 3U);
}

TEST(Options, mistakes_end_with_the_usage_code) {
  const std::vector<std::string> rows[] = {
      {},
      {"GET"},
      {"GET", kUrl, "--unknown"},
      {"GET", kUrl, "--header", "no colon"},
      {"GET", kUrl, "--header", ": no name"},
      {"GET", kUrl, "--attempts", "many"},
      {"GET", kUrl, "--attempts", "0"},
      {"GET", kUrl, "--base", "250"},
      {"GET", kUrl, "--cap", "1ms"},
      {"GET", kUrl, "--jitter", "some"},
      {"GET", kUrl, "--transport", "curl"},
      {"GET", kUrl, "--policy", "reckless"},
      {"GET", kUrl, "--policy", R"({"atempts": 3})"},
      {"GET", kUrl, "--policy", R"({"attempts": 0})", "--attempts", "3"},
      {"GET", kUrl, "--budget", R"({"kind": "window", "ratio": 2})"},
      {"GET", kUrl, "--body", "a", "--json", "b"},
      {"GET", kUrl, "--body-file", "/nowhere"},
  };
  for (const auto& words : rows) {
    const Parsed parsed = parse(words);
    EXPECT_FALSE(parsed.arguments);
    EXPECT_EQ(parsed.exit_code, 2);
  }
}

TEST(Options, help_is_no_mistake) {
  const Parsed parsed = parse({"--help"});
  EXPECT_FALSE(parsed.arguments);
  EXPECT_EQ(parsed.exit_code, 0);
}

}  // namespace
}  // namespace retrylab::cli
