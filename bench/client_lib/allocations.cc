// SPDX-License-Identifier: MIT
#include "bench/client_lib/allocations.h"

#include <cstdlib>
#include <new>

namespace {

thread_local std::uint64_t count = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++count;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace retrylab::bench {

std::uint64_t allocations() {
  return count;
}

}  // namespace retrylab::bench
