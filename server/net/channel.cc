// SPDX-License-Identifier: MIT
#include "server/net/channel.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace retrylab::net {
namespace {

// Encrypted at one go: more would only wait in memory.
constexpr std::size_t kWriteMax = 65'536;

}  // namespace

Channel::Channel(Socket socket, const TlsContext* tls)
    : socket_(std::move(socket)), tls_(tls != nullptr ? new TlsSession(*tls) : nullptr) {}

void Channel::show(const TlsContext* context) {
  if (tls_ && context != nullptr) tls_ = std::make_unique<TlsSession>(*context);
}

std::string Channel::trouble() const {
  if (!tls_) return {};
  if (!tls_->trouble().empty()) return tls_->trouble();
  return tls_->established() ? "" : "the client left before the TLS handshake was over";
}

Transfer Channel::read(std::span<char> into) {
  return tls_ ? read_tls(into) : socket_.read(into);
}

Transfer Channel::read_stamped(std::span<char> into) {
  return tls_ ? read_tls(into) : socket_.read_stamped(into);
}

// Until there is plaintext, or the kernel has nothing more.
Transfer Channel::read_tls(std::span<char> into) {
  std::array<char, 16'384> raw;
  std::optional<WallTime> arrived;
  for (;;) {
    const TlsSession::Read read = tls_->read(into);
    flush();  // the handshake's part; what does not fit goes with the next write
    switch (read.progress) {
      case TlsSession::Progress::data:
        return {.bytes = read.bytes, .arrived = arrived};
      case TlsSession::Progress::end:
        return {.kind = Transfer::Kind::end};
      case TlsSession::Progress::broken:
        return {.kind = Transfer::Kind::broken};
      case TlsSession::Progress::nothing:
        break;
    }
    const Transfer moved = socket_.read_stamped(raw);
    if (moved.kind != Transfer::Kind::done) return moved;
    has_read_ = true;
    arrived = moved.arrived;
    tls_->feed({raw.data(), moved.bytes});
  }
}

Transfer Channel::write(std::span<const iovec> pieces, bool segment_ends) {
  // Before the handshake is over there is no way to say it but as it is.
  return tls_ && tls_->established() ? write_tls(pieces, segment_ends)
                                     : socket_.write(pieces, segment_ends);
}

// Done only when all of it has left, so that what is reported as written is in the kernel.
Transfer Channel::write_tls(std::span<const iovec> pieces, bool segment_ends) {
  if (owed_ == 0) {
    for (const iovec& piece : pieces) {
      const std::size_t size = std::min(piece.iov_len, kWriteMax - owed_);
      tls_->write({static_cast<const char*>(piece.iov_base), size});
      owed_ += size;
      if (owed_ == kWriteMax) break;
    }
    if (owed_ == 0) return {.kind = Transfer::Kind::end};  // there were only empty pieces
  }
  const Transfer flushed = flush(segment_ends);
  if (flushed.kind != Transfer::Kind::done) return flushed;
  return {.bytes = std::exchange(owed_, 0)};
}

Transfer Channel::flush(bool segment_ends) {
  for (std::string_view waiting = tls_->outgoing(); !waiting.empty(); waiting = tls_->outgoing()) {
    const iovec piece{const_cast<char*>(waiting.data()), waiting.size()};  // only read
    const Transfer moved = socket_.write({&piece, 1}, segment_ends);
    if (moved.kind != Transfer::Kind::done) return moved;
    tls_->sent(moved.bytes);
  }
  return {};
}

void Channel::shutdown_write(bool says_so) {
  if (says_so && tls_ && tls_->established()) {
    tls_->say_close();
    flush();
  }
  socket_.shutdown_write();
}

}  // namespace retrylab::net
