// SPDX-License-Identifier: MIT
#include "client_lib/base/sha256.h"

#include <openssl/evp.h>

#include "client_lib/base/check.h"

namespace retrylab {

Sha256 sha256(std::string_view bytes) {
  Sha256 digest{};
  unsigned int length = 0;
  CHECK(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) == 1);
  CHECK(length == digest.size());
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
