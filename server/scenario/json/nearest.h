// SPDX-License-Identifier: MIT
// Advice for a misspelt word.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace retrylab::scenario::json {

// The known word with the fewest changed, missing, surplus or swapped letters, if those are few
// enough to be a slip; else "".
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

// The known word that `word` is, whatever stands in it for "-", "_" and "."; else "".
std::string_view same_word(std::string_view word, std::span<const std::string_view> known);

// `did you mean "status"?`, or when nothing is near `known: "a", "b"`, or "" when none is known.
std::string advice(std::string_view word, std::span<const std::string_view> known);

}  // namespace retrylab::scenario::json
