// SPDX-License-Identifier: MIT
// A connection's bytes: a socket, or a socket beneath TLS. What a connection does to a socket means
// the same on both: a reset is an RST, a close is a FIN (behind a close_notify).
#pragma once

#include <memory>
#include <span>

#include "server/net/socket.h"
#include "server/net/tls.h"

namespace retrylab::net {

class Channel {
 public:
  // `tls` may be null, and outlives the channel.
  Channel(Socket socket, const TlsContext* tls);

  int descriptor() const { return socket_.descriptor(); }
  // A read that was shorter than the buffer may have left something behind.
  bool reads_in_records() const { return tls_ != nullptr; }
  // TLS, and nothing was read yet.
  bool awaits_handshake() const { return tls_ != nullptr && !has_read_; }
  // Why there is no TLS, or none any more; "" while all is well, and without TLS.
  std::string trouble() const;
  // The certificate that the handshake will show; nothing without TLS.
  void show(const TlsContext* context);

  // As Socket's of the same names.
  Transfer read(std::span<char> into);
  Transfer read_stamped(std::span<char> into);
  Transfer write(std::span<const iovec> pieces, bool segment_ends = false);
  Transfer discard() { return socket_.discard(); }
  // `says_so`: with a close_notify beneath TLS; without, it is what a process that died leaves.
  void shutdown_write(bool says_so = true);
  void close() { socket_.close(); }
  void reset() { socket_.reset(); }
  // The peer has answered with an RST. Asked once: the kernel forgets.
  bool is_reset() const { return socket_.failed(); }

 private:
  Transfer read_tls(std::span<char> into);
  Transfer write_tls(std::span<const iovec> pieces, bool segment_ends);
  Transfer flush(bool segment_ends = false);

  Socket socket_;
  std::unique_ptr<TlsSession> tls_;
  bool has_read_ = false;
  std::size_t owed_ = 0;  // plaintext that was encrypted, and not sent whole yet
};

}  // namespace retrylab::net
