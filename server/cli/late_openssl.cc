// SPDX-License-Identifier: MIT
#include "server/cli/late_openssl.h"

#include <dlfcn.h>
#include <openssl/ssl.h>

#include <atomic>
#include <cstdint>

#include "client_lib/base/check.h"

namespace retrylab::cli {
namespace {

// Both are there before any static object is made.
constinit std::atomic<bool> allowed{false};
constinit std::atomic<std::uint64_t> put_off{0};

using InitSsl = int (*)(std::uint64_t, const OPENSSL_INIT_SETTINGS*);

InitSsl openssls_own() {
  static const auto own = reinterpret_cast<InitSsl>(dlsym(RTLD_NEXT, "OPENSSL_init_ssl"));
  CHECK(own != nullptr);
  return own;
}

}  // namespace

void allow_openssl() {
  allowed = true;
}

}  // namespace retrylab::cli

// Before libssl's: every library that is loaded calls this one, libssl itself too. What was put off
// is asked for with the first call that counts.
extern "C" __attribute__((visibility("default"))) int OPENSSL_init_ssl(
    std::uint64_t options, const OPENSSL_INIT_SETTINGS* settings) {
  using namespace retrylab::cli;
  if (!allowed) {
    put_off |= options;
    return 1;
  }
  return openssls_own()(options | put_off, settings);
}
