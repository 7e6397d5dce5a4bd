// SPDX-License-Identifier: MIT
// What the rules about idempotency keys ask of a key.
#pragma once

#include <span>
#include <string_view>

#include "server/verify/evidence.h"

namespace retrylab::verify {

// The chain's first attempt with a key. Null when there is none, or when an attempt before it went
// without for another reason than being refused for the lack of one (400): ID-1 and ID-2 see that.
const AttemptEvidence* first_with_own_key(const Chain& chain);

// The idempotency store of the attempt's route; null when it has none.
const scenario::Idempotency* store_of(const Evidence& evidence, const AttemptEvidence& attempt);

// A key belongs on it: its route has a store (or is not the scenario's), and its method needs it.
bool needs_key(const Evidence& evidence, const AttemptEvidence& attempt);

// How long the route keeps the key; kForever when it does not say.
Duration key_lifetime(const Evidence& evidence, const AttemptEvidence& attempt);

// In the same run, so much later that the first use of the key had been forgotten.
bool is_after_expiry(const Evidence& evidence, const AttemptEvidence& first,
                     const AttemptEvidence& again);

// As if its characters were drawn evenly from the smallest usual alphabet that has them all.
int apparent_bits(std::string_view key);

// Three or more keys that differ by a number that counts up.
bool are_sequential(std::span<const std::string_view> keys);

}  // namespace retrylab::verify
