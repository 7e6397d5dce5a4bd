// SPDX-License-Identifier: MIT
// Fetches what will be needed soon into the cache. A simulation of a million clients touches
// memory in an order that no processor foresees, but its event queue knows.
#pragma once

#include <cstddef>

namespace retrylab::sim {

// So many bytes, a line at a time; they need not be readable.
inline void prefetch(const void* start, std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  const char* at = static_cast<const char*>(start);
  for (std::size_t done = 0; done < bytes; done += kLine) __builtin_prefetch(at + done);
  // GCC takes a function that does nothing but prefetch for one without effect, and drops calls.
  asm volatile("");
}

}  // namespace retrylab::sim
