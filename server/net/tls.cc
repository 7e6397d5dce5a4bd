// SPDX-License-Identifier: MIT
#include "server/net/tls.h"

#include <algorithm>
#include <utility>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include "client_lib/base/check.h"
#include "server/net/openssl_owner.h"

namespace retrylab::net {
namespace {

int length_of(std::string_view bytes) {
  return static_cast<int>(bytes.size());
}

Bio reader_of(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), length_of(text)));
}

tl::unexpected<Error> refused(const char* what) {
  char text[256];
  ERR_error_string_n(ERR_get_error(), text, sizeof text);
  ERR_clear_error();
  return fail(ErrorCode::invalid_argument, what, text);
}

// An alert that the peer sent is an error whose reason is the alert's number behind an offset.
std::string last_trouble() {
  const unsigned long error = ERR_peek_last_error();
  if (error == 0) return "TLS: the connection broke off";
  const int alert = ERR_GET_REASON(error) - SSL_AD_REASON_OFFSET;
  if (alert >= 0 && alert < 256) {
    return std::string("TLS alert of the client: ") + SSL_alert_desc_string_long(alert);
  }
  const char* reason = ERR_reason_error_string(error);
  return std::string("no TLS with this client: ") + (reason != nullptr ? reason : "unknown error");
}

}  // namespace

struct TlsContext::Library {
  std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>> context{SSL_CTX_new(TLS_server_method())};
};

TlsContext::TlsContext(std::unique_ptr<Library> library) : library_(std::move(library)) {}
TlsContext::~TlsContext() = default;

Result<std::shared_ptr<const TlsContext>> TlsContext::make(const std::string& certificates,
                                                           const std::string& key) {
  auto library = std::make_unique<Library>();
  SSL_CTX* context = library->context.get();
  CHECK(context != nullptr);
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  // Each connection is one of its own: a resumed session would hide the certificate.
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context, 0);
  const Bio chain = reader_of(certificates);
  const Certificate own(PEM_read_bio_X509(chain.get(), nullptr, nullptr, nullptr));
  if (!own || SSL_CTX_use_certificate(context, own.get()) != 1) return refused("certificate");
  while (X509* issuer = PEM_read_bio_X509(chain.get(), nullptr, nullptr, nullptr)) {
    if (SSL_CTX_add_extra_chain_cert(context, issuer) != 1) return refused("certificate chain");
  }
  ERR_clear_error();  // the end of the text is an error to the reader of PEM
  const Bio key_text = reader_of(key);
  const Key secret(PEM_read_bio_PrivateKey(key_text.get(), nullptr, nullptr, nullptr));
  if (!secret || SSL_CTX_use_PrivateKey(context, secret.get()) != 1) return refused("key");
  if (SSL_CTX_check_private_key(context) != 1) return refused("key and certificate");
  return std::shared_ptr<const TlsContext>(new TlsContext(std::move(library)));
}

struct TlsSession::Library {
  std::unique_ptr<SSL, Freed<SSL_free>> session;
  BIO* in = nullptr;  // the session owns both
  BIO* out = nullptr;
};

TlsSession::TlsSession(const TlsContext& context) : library_(std::make_unique<Library>()) {
  library_->session.reset(SSL_new(context.library_->context.get()));
  library_->in = BIO_new(BIO_s_mem());
  library_->out = BIO_new(BIO_s_mem());
  CHECK(library_->session && library_->in != nullptr && library_->out != nullptr);
  SSL_set_bio(library_->session.get(), library_->in, library_->out);
  SSL_set_accept_state(library_->session.get());
}

TlsSession::~TlsSession() = default;

void TlsSession::feed(std::string_view bytes) {
  CHECK(BIO_write(library_->in, bytes.data(), length_of(bytes)) == length_of(bytes));
}

TlsSession::Read TlsSession::read(std::span<char> into) {
  SSL* session = library_->session.get();
  ERR_clear_error();
  const int count = SSL_read(session, into.data(), static_cast<int>(into.size()));
  if (count > 0) return {Progress::data, static_cast<std::size_t>(count)};
  switch (SSL_get_error(session, count)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
      return {Progress::nothing};
    case SSL_ERROR_ZERO_RETURN:
      return {Progress::end};
    default:
      trouble_ = last_trouble();
      ERR_clear_error();
      return {Progress::broken};
  }
}

bool TlsSession::established() const {
  return SSL_is_init_finished(library_->session.get()) == 1;
}

void TlsSession::write(std::string_view plaintext) {
  if (plaintext.empty()) return;
  const int count = SSL_write(library_->session.get(), plaintext.data(), length_of(plaintext));
  CHECK(count == length_of(plaintext));  // memory takes everything
}

void TlsSession::say_close() {
  SSL_shutdown(library_->session.get());
  ERR_clear_error();
}

std::string_view TlsSession::outgoing() {
  if (sent_ == outgoing_.size()) {
    outgoing_.clear();
    sent_ = 0;
  }
  const std::size_t waiting = BIO_ctrl_pending(library_->out);
  if (waiting > 0) {
    const std::size_t before = outgoing_.size();
    outgoing_.resize(before + waiting);
    const int moved = BIO_read(library_->out, outgoing_.data() + before, static_cast<int>(waiting));
    CHECK(moved == static_cast<int>(waiting));
  }
  return std::string_view(outgoing_).substr(sent_);
}

void TlsSession::sent(std::size_t bytes) {
  sent_ += bytes;
}

}  // namespace retrylab::net
