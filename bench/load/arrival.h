// SPDX-License-Identifier: MIT
// Reading with the kernel's time of arrival. The load program shares the cores with the server it
// measures; the kernel's stamp is taken when the bytes enter the socket, so an answer is not
// called late because its reader was.
#pragma once

#include <cstddef>
#include <span>

#include "bench/load/clock.h"
#include "bench/load/socket.h"

namespace retrylab::load {

// Asks the kernel to stamp what arrives on the socket.
void stamp_arrivals(const Descriptor& socket);

// Converts kernel stamps (wall clock) to the monotonic clock.
class ArrivalClock {
 public:
  ArrivalClock();
  Nanos to_monotonic(Nanos wall) const { return wall - offset_; }
  // The wall clock moved against the monotonic one since construction; small unless it was set.
  Nanos drift() const;

 private:
  Nanos offset_ = 0;
};

struct Arrival {
  enum class What { bytes, nothing_yet, closed, failed };
  What what = What::nothing_yet;
  std::size_t count = 0;
  Nanos at = 0;  // kernel's stamp, else the clock after the read
  bool kernel_stamped = false;
};

Arrival receive(const Descriptor& socket, std::span<char> buffer, const ArrivalClock& clock);

}  // namespace retrylab::load
