// SPDX-License-Identifier: MIT
// A TLS server for tests: accepts on a port of its own, one connection after the other, and does
// one thing to each.
#pragma once

#include <openssl/ssl.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

namespace retrylab {

class TlsServer {
 public:
  enum class Does {
    answers,           // 200 with a length, then a proper end
    cuts_the_answer,   // a body that lasts until the end, which comes without close_notify
    resets_handshake,  // reads the ClientHello and resets
  };

  // The certificate is for the name (DNS) or address `valid_for`, made and signed on the spot.
  TlsServer(Does does, const std::string& valid_for);
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  std::string url() const { return "https://127.0.0.1:" + std::to_string(port_) + "/"; }
  const std::string& ca_file() const { return ca_file_; }
  int connections() const { return connections_; }

 private:
  void make_certificate(const std::string& valid_for);
  void serve();
  void serve_one(int socket);

  Does does_;
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_;
  std::string ca_file_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<int> connections_ = 0;
  std::thread thread_;
};

}  // namespace retrylab
