// SPDX-License-Identifier: MIT
// CHECK: an assertion that is always on. For bugs of this project, never for bad input.
#pragma once

namespace retrylab {

// Prints the place and the condition on standard error and aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace retrylab

#define CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::retrylab::check_failed(#condition, __FILE__, __LINE__))
