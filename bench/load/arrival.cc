// SPDX-License-Identifier: MIT
#include "bench/load/arrival.h"

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace retrylab::load {
namespace {

Nanos wall_minus_monotonic() {
  // The closest of a few pairs: a reading between two others bounds the error by their distance.
  Nanos best_width = kSecond;
  Nanos offset = 0;
  for (int i = 0; i < 16; ++i) {
    const Nanos before = now();
    const Nanos wall = read_clock(CLOCK_REALTIME);
    const Nanos width = now() - before;
    if (width < best_width) {
      best_width = width;
      offset = wall - (before + width / 2);
    }
  }
  return offset;
}

// The software stamp of a message, or 0.
Nanos kernel_stamp(msghdr& message) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPING) continue;
    scm_timestamping stamps{};
    std::memcpy(&stamps, CMSG_DATA(part), sizeof stamps);
    return stamps.ts[0].tv_sec * kSecond + stamps.ts[0].tv_nsec;
  }
  return 0;
}

}  // namespace

void stamp_arrivals(const Descriptor& socket) {
  const unsigned flags = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags);
}

ArrivalClock::ArrivalClock() : offset_(wall_minus_monotonic()) {}

Nanos ArrivalClock::drift() const {
  return wall_minus_monotonic() - offset_;
}

Arrival receive(const Descriptor& socket, std::span<char> buffer, const ArrivalClock& clock) {
  iovec piece{.iov_base = buffer.data(), .iov_len = buffer.size()};
  alignas(cmsghdr) char control[256];
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;

  const ssize_t count = ::recvmsg(socket.get(), &message, 0);
  if (count == 0) return {.what = Arrival::What::closed, .at = now()};
  if (count < 0) {
    const bool later = errno == EAGAIN || errno == EINTR;
    return {.what = later ? Arrival::What::nothing_yet : Arrival::What::failed, .at = now()};
  }
  const Nanos stamp = kernel_stamp(message);
  return {.what = Arrival::What::bytes,
          .count = static_cast<std::size_t>(count),
          .at = stamp != 0 ? clock.to_monotonic(stamp) : now(),
          .kernel_stamped = stamp != 0};
}

}  // namespace retrylab::load
