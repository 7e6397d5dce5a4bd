// SPDX-License-Identifier: MIT
// SHA-256 of a byte string, for body fingerprints.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace retrylab {

using Sha256 = std::array<std::uint8_t, 32>;

Sha256 sha256(std::string_view bytes);

// 64 lower-case hexadecimal digits.
std::string to_hex(const Sha256& digest);

}  // namespace retrylab
