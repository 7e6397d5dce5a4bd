// SPDX-License-Identifier: MIT
// TLS as a value machine: ciphertext in, plaintext out, and the other way round. It touches no
// socket, so that the connection beneath it can be reset, stalled or closed at any byte.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "client_lib/base/result.h"

namespace retrylab::net {

// What a server shows: its certificate with the chain behind it, and its key. Shared by all
// connections of a run.
class TlsContext {
 public:
  // PEM texts. Errors: ErrorCode::invalid_argument with what the library said.
  static Result<std::shared_ptr<const TlsContext>> make(const std::string& certificates,
                                                        const std::string& key);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

 private:
  friend class TlsSession;
  struct Library;  // OpenSSL's, kept out of this header
  explicit TlsContext(std::unique_ptr<Library> library);
  std::unique_ptr<Library> library_;
};

// One connection's side of it.
class TlsSession {
 public:
  // `context` outlives the session.
  explicit TlsSession(const TlsContext& context);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  // Ciphertext that has arrived.
  void feed(std::string_view bytes);

  enum class Progress { data, nothing, end, broken };
  struct Read {
    Progress progress = Progress::nothing;
    std::size_t bytes = 0;
  };
  // Plaintext, as far as what was fed goes. The handshake is made on the way. end: the peer's
  // close_notify; broken: it speaks no TLS, or wants none with this certificate.
  Read read(std::span<char> into);

  // What ended it, after `broken`: "TLS alert of the client: unknown CA", "no TLS: http request".
  const std::string& trouble() const { return trouble_; }

  // The handshake is over: plaintext can be written.
  bool established() const;
  // Encrypts all of it.
  void write(std::string_view plaintext);
  // Says that no more will be written.
  void say_close();

  // Ciphertext that is to be sent, and that so much of it was.
  std::string_view outgoing();
  void sent(std::size_t bytes);

 private:
  struct Library;
  std::unique_ptr<Library> library_;
  std::string trouble_;
  std::string outgoing_;
  std::size_t sent_ = 0;
};

}  // namespace retrylab::net
