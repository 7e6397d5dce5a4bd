// SPDX-License-Identifier: MIT
// Idempotency keys: UUIDs of version 4 (RFC 9562 §5.4), bare or as a structured-field string.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace retrylab {

// "8e03978e-40d5-43e8-bc93-6894a57f9324" from 16 random bytes; six of the bits are fixed.
std::string uuid_v4(std::array<std::uint8_t, 16> random);

// The form that draft-ietf-httpapi-idempotency-key-header §2.1 asks for: between double quotes.
// The usual vendors want it bare.
std::string quoted_key(std::string_view key);

}  // namespace retrylab
