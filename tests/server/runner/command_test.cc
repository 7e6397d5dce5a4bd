// SPDX-License-Identifier: MIT
#include "server/runner/command.h"

#include <gmock/gmock.h>

namespace retrylab::runner {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::Pair;

const Target kTarget{
    .url = "http://127.0.0.1:9", .admin_url = "", .run = "3", .outcome_file = "/tmp/outcome"};

TEST(Command, url_is_filled_into_every_argument) {
  const auto command = make_command({"curl", "{url}/a", "{url}{url}", "{ur}"}, {}, kTarget);
  EXPECT_THAT(command.arguments, ElementsAre("curl", "http://127.0.0.1:9/a",
                                             "http://127.0.0.1:9http://127.0.0.1:9", "{ur}"));
}

TEST(Command, a_variable_of_a_shell_or_of_curl_is_left_alone) {
  const auto command = make_command({"sh", "-c", "curl ${url}{url} -w %{url}"}, {}, kTarget);
  EXPECT_EQ(command.arguments.back(), "curl ${url}http://127.0.0.1:9 -w %{url}");
}

TEST(Command, variables_tell_the_client_where_its_run_is) {
  const auto command = make_command({"x"}, {"PAYMENTS={url}/v1", "EMPTY="}, kTarget);
  EXPECT_THAT(command.environment,
              ElementsAre(Pair("RETRYLAB_URL", "http://127.0.0.1:9"), Pair("RETRYLAB_RUN", "3"),
                          Pair("RETRYLAB_OUTCOME", "/tmp/outcome"),
                          Pair("PAYMENTS", "http://127.0.0.1:9/v1"), Pair("EMPTY", "")));
}

TEST(Command, a_variable_takes_the_place_of_one_of_ours) {
  EXPECT_THAT(make_command({"x"}, {"RETRYLAB_RUN=mine"}, kTarget).environment,
              ElementsAre(Pair("RETRYLAB_URL", "http://127.0.0.1:9"),
                          Pair("RETRYLAB_OUTCOME", "/tmp/outcome"), Pair("RETRYLAB_RUN", "mine")));
}

TEST(Command, an_admin_url_is_set_only_where_there_is_one) {
  auto target = kTarget;
  target.admin_url = "http://127.0.0.1:10";
  EXPECT_THAT(make_command({"x"}, {}, target).environment,
              Contains(Pair("RETRYLAB_ADMIN_URL", "http://127.0.0.1:10")));
  EXPECT_THAT(make_command({"x"}, {}, kTarget).environment,
              Not(Contains(Pair("RETRYLAB_ADMIN_URL", testing::_))));
}

TEST(Command, the_request_that_the_scenario_wants_is_told_and_filled_in) {
  auto target = kTarget;
  target.method = "POST";
  target.path = "/v1/payments";
  target.body = "{}";
  target.key = "k";
  const auto command =
      make_command({"x", "-X{method}", "{path}", "{body}", "%{method}", "${path}"}, {}, target);
  EXPECT_THAT(command.arguments,
              ElementsAre("x", "-XPOST", "/v1/payments", "{}", "%{method}", "${path}"));
  EXPECT_THAT(command.environment, Contains(Pair("RETRYLAB_METHOD", "POST")));
  EXPECT_THAT(command.environment, Contains(Pair("RETRYLAB_PATH", "/v1/payments")));
  EXPECT_THAT(command.environment, Contains(Pair("RETRYLAB_BODY", "{}")));
  EXPECT_THAT(command.environment, Contains(Pair("RETRYLAB_KEY", "k")));
}

TEST(Command, a_variable_needs_a_name) {
  for (const auto* good : {"A=1", "A=", "A=b=c"}) EXPECT_TRUE(check_variable(good)) << good;
  for (const auto* bad : {"A", "=1", ""}) EXPECT_FALSE(check_variable(bad)) << bad;
}

}  // namespace
}  // namespace retrylab::runner
