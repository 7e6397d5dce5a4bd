// SPDX-License-Identifier: MIT
// HTTPS with a client of OpenSSL's: what it gets, what its handshake says, and that beneath TLS a
// reset is an RST and a stall is silence.
#include <memory>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include "server/net/certificates.h"
#include "tests/server/net/raw_client.h"
#include "tests/server/runs/running.h"

namespace retrylab::runs {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

template <auto Free>
struct Freed {
  template <typename Object>
  void operator()(Object* object) const {
    Free(object);
  }
};

// Made once: keys take time.
const std::shared_ptr<const net::Identities>& identities() {
  static const auto kMade = [] {
    auto made = net::make_identities();
    EXPECT_TRUE(made);
    return std::make_shared<const net::Identities>(std::move(*made));
  }();
  return kMade;
}

class TlsClient {
 public:
  explicit TlsClient(const std::string& url) : raw_(url) {
    context_.reset(SSL_CTX_new(TLS_client_method()));
    const std::unique_ptr<BIO, Freed<BIO_free>> text(
        BIO_new_mem_buf(identities()->authority.data(), -1));
    const std::unique_ptr<X509, Freed<X509_free>> authority(
        PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr));
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context_.get()), authority.get());
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
    session_.reset(SSL_new(context_.get()));
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session_.get()), "127.0.0.1");
    SSL_set_fd(session_.get(), raw_.descriptor());
  }

  bool shake_hands() { return SSL_connect(session_.get()) == 1; }
  long complaint() const { return SSL_get_verify_result(session_.get()); }
  void send(const std::string& text) {
    SSL_write(session_.get(), text.data(), static_cast<int>(text.size()));
  }

  struct Got {
    std::string text;
    bool said_goodbye = false;  // close_notify
    bool was_reset = false;
  };
  Got receive_all() {
    Got got;
    char buffer[16'384];
    for (;;) {
      errno = 0;
      const int count = SSL_read(session_.get(), buffer, sizeof buffer);
      if (count <= 0) {
        const int error = SSL_get_error(session_.get(), count);
        got.said_goodbye = error == SSL_ERROR_ZERO_RETURN;
        got.was_reset = errno == ECONNRESET;
        ERR_clear_error();
        return got;
      }
      got.text.append(buffer, static_cast<std::size_t>(count));
    }
  }
  RawClient& raw() { return raw_; }

 private:
  RawClient raw_;
  std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>> context_;
  std::unique_ptr<SSL, Freed<SSL_free>> session_;
};

std::string scenario_of(const std::string& step, const std::string& top = "") {
  return R"({"name": "t", )" + top + R"("routes": [{"on": "* /", "script": [)" + step + "]}]}";
}

TEST(Https, serves_a_client_that_trusts_the_authority) {
  Running running(scenario_of(R"({"status": 200, "body_size": "400KB",
                                  "headers": {"Connection": "close"}})"),
                  {.tls = identities()});
  EXPECT_THAT(running.url(), StartsWith("https://127.0.0.1:"));
  TlsClient client(running.url());
  ASSERT_TRUE(client.shake_hands());
  client.send(kGet);
  const TlsClient::Got got = client.receive_all();
  EXPECT_THAT(got.text, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_GT(got.text.size(), 400'000u);
  EXPECT_TRUE(got.said_goodbye);
  const journal::Run run = running.run->stop();
  EXPECT_EQ(run.attempts.at(0).delivered.ending, journal::Ending::delivered);
}

TEST(Https, keeps_connections_alive) {
  Running running(scenario_of("200, 204"), {.tls = identities()});
  TlsClient client(running.url());
  ASSERT_TRUE(client.shake_hands());
  client.send(kGet);
  client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const std::string text = client.receive_all().text;
  EXPECT_THAT(text, HasSubstr("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(text, HasSubstr("HTTP/1.1 204 No Content\r\n"));
  EXPECT_EQ(running.run->stop().connections.size(), 1u);
}

TEST(Https, reset_is_an_rst) {
  Running running(scenario_of(R"({"status": 200, "fault": {"do": "reset", "at": "request_end"}})"),
                  {.tls = identities()});
  TlsClient client(running.url());
  ASSERT_TRUE(client.shake_hands());
  client.send(kGet);
  EXPECT_TRUE(client.receive_all().was_reset);
}

TEST(Https, close_in_the_body_ends_without_a_goodbye) {
  Running running(scenario_of(R"({"status": 200, "body": "hello",
                                  "fault": {"do": "close", "at": {"body_byte": 2}}})"),
                  {.tls = identities()});
  TlsClient client(running.url());
  ASSERT_TRUE(client.shake_hands());
  client.send(kGet);
  const TlsClient::Got got = client.receive_all();
  EXPECT_THAT(got.text, testing::EndsWith("\r\n\r\nhe"));
  EXPECT_FALSE(got.said_goodbye);
  EXPECT_FALSE(got.was_reset);
}

TEST(Https, reset_after_the_client_hello) {
  Running running(
      scenario_of("200", R"("connections": [{"fault": {"do": "reset", "at": "request_start"}}],)"),
      {.tls = identities()});
  TlsClient client(running.url());
  EXPECT_FALSE(client.shake_hands());
  EXPECT_EQ(errno, ECONNRESET);
  running.wait_for_end_of_connections();
  EXPECT_TRUE(running.run->stop().connections.at(0).faults_delivered);
}

TEST(Https, stall_after_the_client_hello) {
  Running running(scenario_of("200",
                              R"("connections": [{"fault": {"do": "stall", "for": "50ms",
                                                "at": "request_start"}}],)"),
                  {.tls = identities()});
  TlsClient client(running.url());
  ASSERT_TRUE(client.shake_hands()) << "late, but made";
  client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(client.receive_all().text, StartsWith("HTTP/1.1 200 OK\r\n"));
}

struct Shown {
  const char* name;
  long complaint;
  const char* alert;  // RFC 8446 §6.2, in OpenSSL's words
};

class certificate : public testing::TestWithParam<Shown> {};

TEST_P(certificate, is_what_clients_complain_of_and_no_attempt) {
  Running running(scenario_of("200", std::string(R"("connections": [{"certificate": ")") +
                                         GetParam().name + R"("}],)"),
                  {.tls = identities()});
  TlsClient client(running.url());
  EXPECT_FALSE(client.shake_hands());
  EXPECT_EQ(client.complaint(), GetParam().complaint);
  client.raw().close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  EXPECT_TRUE(run.attempts.empty());
  EXPECT_EQ(run.connections.at(0).planned_faults.at(0),
            std::string(GetParam().name) + " certificate at accept");
  EXPECT_EQ(run.connections.at(0).note.str(),
            std::string("TLS alert of the client: ") + GetParam().alert);
}

INSTANTIATE_TEST_SUITE_P(
    kinds, certificate,
    testing::Values(Shown{"untrusted", X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, "unknown CA"},
                    Shown{"expired", X509_V_ERR_CERT_HAS_EXPIRED, "certificate expired"},
                    Shown{"wrong_host", X509_V_ERR_IP_ADDRESS_MISMATCH, "bad certificate"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Https, plain_http_is_not_answered) {
  Running running(scenario_of("200"), {.tls = identities()});
  RawClient client(running.url());
  client.send(kGet);
  EXPECT_EQ(client.receive_all().bytes.find("HTTP/1.1 200"), std::string::npos);
  client.close();
  running.wait_for_end_of_connections();
  const journal::Run run = running.run->stop();
  EXPECT_TRUE(run.attempts.empty());
  EXPECT_EQ(run.connections.at(0).note.str(), "no TLS with this client: http request");
}

TEST(Https, a_client_that_says_nothing_leaves_before_the_handshake) {
  Running running(scenario_of("200"), {.tls = identities()});
  RawClient client(running.url());
  client.close();
  running.wait_for_end_of_connections();
  EXPECT_EQ(running.run->stop().connections.at(0).note.str(),
            "the client left before the TLS handshake was over");
}

TEST(Https, what_went_well_needs_no_word) {
  Running running(scenario_of("200"), {.tls = identities()});
  TlsClient client(running.url());
  ASSERT_TRUE(client.shake_hands());
  client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  client.receive_all();
  client.raw().close();
  running.wait_for_end_of_connections();
  EXPECT_TRUE(running.run->stop().connections.at(0).note.empty());
}

}  // namespace
}  // namespace retrylab::runs
