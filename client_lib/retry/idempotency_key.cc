// SPDX-License-Identifier: MIT
#include "client_lib/retry/idempotency_key.h"

namespace retrylab {

std::string uuid_v4(std::array<std::uint8_t, 16> random) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  random[6] = static_cast<std::uint8_t>((random[6] & 0x0fU) | 0x40U);  // version
  random[8] = static_cast<std::uint8_t>((random[8] & 0x3fU) | 0x80U);  // variant
  std::string text;
  for (std::size_t i = 0; i < random.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kDigits[random[i] >> 4U];
    text += kDigits[random[i] & 0x0fU];
  }
  return text;
}

// RFC 9651: a quote and a backslash are escaped.
std::string quoted_key(std::string_view key) {
  std::string text = "\"";
  for (const char letter : key) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += letter;
  }
  return text + "\"";
}

}  // namespace retrylab
