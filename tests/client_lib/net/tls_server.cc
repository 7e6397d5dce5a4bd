// SPDX-License-Identifier: MIT
#include "tests/client_lib/net/tls_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "client_lib/net/broken_pipe.h"

namespace retrylab {
namespace {

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* pointer) const {
    Free(pointer);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Connection = std::unique_ptr<SSL, Freed<SSL_free>>;

Certificate sign_itself(EVP_PKEY* key, const std::string& alternative_name) {
  Certificate made(X509_new());
  X509_set_version(made.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), -3'600);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), 3'600);
  X509_set_pubkey(made.get(), key);
  X509_NAME* name = X509_get_subject_name(made.get());
  const std::string common = "test";
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(common.data()), -1, -1, 0);
  X509_set_issuer_name(made.get(), name);
  X509_EXTENSION* extension =
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, alternative_name.c_str());
  X509_add_ext(made.get(), extension, -1);
  X509_EXTENSION_free(extension);
  X509_sign(made.get(), key, EVP_sha256());
  return made;
}

void reset(int socket) {
  const linger now{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  ::close(socket);
}

}  // namespace

TlsServer::TlsServer(Does does, const std::string& valid_for)
    : does_(does), context_(SSL_CTX_new(TLS_server_method()), SSL_CTX_free) {
  make_certificate(valid_for);
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(::bind(listener_, generic, length), 0);
  EXPECT_EQ(::listen(listener_, 16), 0);
  ::getsockname(listener_, generic, &length);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

TlsServer::~TlsServer() {
  ::shutdown(listener_, SHUT_RDWR);  // wakes accept
  thread_.join();
  ::close(listener_);
  std::remove(ca_file_.c_str());
}

void TlsServer::make_certificate(const std::string& valid_for) {
  const Key key(EVP_EC_gen("P-256"));
  in_addr ignored{};
  const bool is_address = ::inet_pton(AF_INET, valid_for.c_str(), &ignored) == 1;
  const Certificate certificate = sign_itself(key.get(), (is_address ? "IP:" : "DNS:") + valid_for);
  SSL_CTX_use_certificate(context_.get(), certificate.get());
  SSL_CTX_use_PrivateKey(context_.get(), key.get());
  ca_file_ = ::testing::TempDir() + "retrylab_ca_" + std::to_string(::getpid()) + "_" +
             std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".pem";
  FILE* file = std::fopen(ca_file_.c_str(), "w");
  PEM_write_X509(file, certificate.get());
  std::fclose(file);
}

void TlsServer::serve() {
  const BrokenPipeIsAnError no_signal;
  while (true) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    ++connections_;
    serve_one(socket);
  }
}

void TlsServer::serve_one(int socket) {
  std::array<char, 4'096> buffer{};
  if (does_ == Does::resets_handshake) {
    ::recv(socket, buffer.data(), buffer.size(), 0);
    return reset(socket);
  }
  const Connection connection(SSL_new(context_.get()));
  SSL_set_fd(connection.get(), socket);
  if (SSL_accept(connection.get()) == 1) {
    SSL_read(connection.get(), buffer.data(), static_cast<int>(buffer.size()));
    const std::string answer = does_ == Does::answers
                                   ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
                                     "Connection: close\r\n\r\nok"
                                   : "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhalf of it";
    SSL_write(connection.get(), answer.data(), static_cast<int>(answer.size()));
    if (does_ == Does::answers) SSL_shutdown(connection.get());
  }
  ::close(socket);
}

}  // namespace retrylab
