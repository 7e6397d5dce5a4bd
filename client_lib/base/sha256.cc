// SPDX-License-Identifier: MIT
// The calls that OpenSSL 3 calls deprecated: EVP_Digest looks its algorithm up in a provider, under
// a lock and at every call, and the first look reads OpenSSL's configuration and lists all that
// there is (3 million instructions, a fifth of the program's start).
#define OPENSSL_SUPPRESS_DEPRECATED
#include "client_lib/base/sha256.h"

#include <openssl/sha.h>

#include "client_lib/base/check.h"

namespace retrylab {

Sha256 sha256(std::string_view bytes) {
  Sha256 digest{};
  SHA256_CTX state;
  CHECK(SHA256_Init(&state) == 1);
  CHECK(SHA256_Update(&state, bytes.data(), bytes.size()) == 1);
  CHECK(SHA256_Final(digest.data(), &state) == 1);
  return digest;
}

std::string to_hex(const Sha256& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(digest.size() * 2);
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

}  // namespace retrylab
