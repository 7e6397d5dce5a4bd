// SPDX-License-Identifier: MIT
// A TCP socket's descriptor and the system calls the edge makes on it, none of which waits.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "client_lib/base/result.h"
#include "client_lib/base/time.h"

namespace retrylab::net {

// How a read or write went.
struct Transfer {
  enum class Kind {
    done,         // `bytes` moved, at least one
    would_block,  // nothing moved, try again when ready
    end,          // read: the peer's FIN
    broken,       // the peer reset, or the connection is dead otherwise
    trouble,      // this host: no memory, no buffers
  };
  Kind kind = Kind::done;
  std::size_t bytes = 0;
  std::optional<WallTime> arrived = std::nullopt;  // the kernel's stamp, when asked for
};

class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  ~Socket() { close(); }
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&& other) noexcept;

  int descriptor() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }
  // An error waits for whoever reads or writes next, and is forgotten here.
  bool failed() const;

  Transfer read(std::span<char> into);
  // Also tells when the last of the bytes reached this host.
  Transfer read_stamped(std::span<char> into);
  // `segment_ends`: later bytes go into another TCP segment, though the kernel still holds these.
  Transfer write(std::span<const iovec> pieces, bool segment_ends = false);
  // Reads up to a megabyte and throws it away.
  Transfer discard();

  // The descriptor is the caller's from now on.
  int release() { return std::exchange(descriptor_, -1); }

  // Sends a FIN; reading goes on.
  void shutdown_write();
  void close();
  // Closes with an RST.
  void reset();

 private:
  int descriptor_ = -1;
};

// Listening on an IP address and port (0: any free one), for non-blocking accepts; the sockets it
// accepts send without delay and stamp arrivals. The error names the address.
struct ListenOptions {
  // Others of this user may be bound to the port too, so that one of them can keep it.
  bool shares_port = false;
  bool listens = true;  // false: bound only, which keeps the port and refuses whoever connects
};
Result<Socket> listen_on(const std::string& address, std::uint16_t port,
                         ListenOptions options = {});

// The port that a socket is bound to.
std::uint16_t local_port(const Socket& socket);

// "127.0.0.1:80", "[::1]:80".
std::string authority(const std::string& address, std::uint16_t port);

}  // namespace retrylab::net
