// SPDX-License-Identifier: MIT
// HTTPS with verification on, over both transports.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "client_lib/net/beast_transport.h"
#include "client_lib/net/httplib_transport.h"
#include "client_lib/net/retry_client.h"
#include "tests/client_lib/net/skipping_clock.h"
#include "tests/client_lib/net/tls_server.h"

namespace retrylab {
namespace {

enum class Kind { httplib, beast };

class Tls : public ::testing::TestWithParam<Kind> {
 protected:
  OperationResult get(const std::string& url, const TransportOptions& options) {
    if (GetParam() == Kind::httplib) transport_ = std::make_unique<HttplibTransport>(options);
    if (GetParam() == Kind::beast) transport_ = std::make_unique<BeastTransport>(options);
    client_ = *RetryClient::make({.seed = 1}, *transport_, clock_);
    return client_->send({.url = url});
  }

 private:
  SkippingClock clock_;
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<RetryClient> client_;
};

INSTANTIATE_TEST_SUITE_P(Transports, Tls, ::testing::Values(Kind::httplib, Kind::beast),
                         [](const auto& instance) {
                           return instance.param == Kind::httplib ? "httplib" : "beast";
                         });

TEST_P(Tls, a_certificate_signed_by_the_given_authority_is_trusted) {
  TlsServer server(TlsServer::Does::answers, "127.0.0.1");
  const OperationResult result = get(server.url(), {.ca_file = server.ca_file()});
  ASSERT_TRUE(result.ok()) << describe(result);
  EXPECT_EQ(result.response().body, "ok");
}

// fabric8io/kubernetes-client#7915 and others: certificate errors retried to the limit.
TEST_P(Tls, an_untrusted_certificate_fails_at_the_first_attempt) {
  TlsServer server(TlsServer::Does::answers, "127.0.0.1");
  const OperationResult result = get(server.url(), {});
  EXPECT_EQ(result.reason, Reason::permanent_failure);
  ASSERT_EQ(result.attempts.size(), 1U);
  EXPECT_EQ(result.attempts[0].failure, Failure::tls);
  EXPECT_EQ(server.connections(), 1);
}

TEST_P(Tls, a_certificate_for_another_name_is_not_accepted) {
  TlsServer server(TlsServer::Does::answers, "other.test");
  const OperationResult result = get(server.url(), {.ca_file = server.ca_file()});
  EXPECT_EQ(result.reason, Reason::permanent_failure);
  EXPECT_EQ(result.attempts.at(0).failure, Failure::tls);
}

TEST_P(Tls, verification_can_be_turned_off) {
  TlsServer server(TlsServer::Does::answers, "other.test");
  EXPECT_TRUE(get(server.url(), {.verify_certificates = false}).ok());
}

// lycheeverse/lychee#2297 and others: a reset during the handshake is worth another attempt.
TEST(BeastTls, a_handshake_that_is_reset_is_retried) {
  TlsServer server(TlsServer::Does::resets_handshake, "127.0.0.1");
  BeastTransport transport({.ca_file = server.ca_file()});
  SkippingClock clock;
  auto client = *RetryClient::make({.seed = 1}, transport, clock);
  const OperationResult result = client->send({.url = server.url()});
  EXPECT_EQ(result.reason, Reason::attempts_exhausted);
  EXPECT_EQ(server.connections(), 5);
  EXPECT_EQ(result.attempts.at(0).failure, Failure::reset);
}

// A body that lasts until the connection ends is whole only with a close_notify.
TEST(BeastTls, an_answer_cut_without_close_notify_is_truncated) {
  TlsServer server(TlsServer::Does::cuts_the_answer, "127.0.0.1");
  BeastTransport transport({.ca_file = server.ca_file()});
  SkippingClock clock;
  auto client = *RetryClient::make({.seed = 1}, transport, clock);
  const OperationResult result = client->send({.url = server.url()});
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.attempts.at(0).failure, Failure::truncated);
}

}  // namespace
}  // namespace retrylab
